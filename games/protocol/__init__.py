"""Types of the messages between site and client, which are plain JSON.

The types are not checked at run time. `manage.py protocol_schema` generates the JSON schema and the
JavaScript types from these classes. docs/protocol.md explains every key.
"""

from games.protocol.deals import FairPage
from games.protocol.events import Event
from games.protocol.messages import ClientMessage, ServerMessage
from games.protocol.replay import ReplayPage
from games.protocol.table import TableView, WindowView
from games.rules.actions.moves import Move

# Version of the protocol, for other programs. It increases when a key is renamed, removed or
# redefined. A client that requests no version in the URL of the socket gets version 1.
VERSION = 2

# Names of the types that the schema starts from. It includes all types that these refer to.
NAMED = {
    "ClientMessage": ClientMessage,
    "ServerMessage": ServerMessage,
    "WindowView": WindowView,
    "Event": Event,
    "Action": Move,
    "ReplayPage": ReplayPage,
    "FairPage": FairPage,
}
