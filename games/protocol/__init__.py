"""Types of the messages between site and client: plain JSON, checked only by mypy.

The types have no effect while a match is played. `manage.py protocol_schema` generates the JSON
schema and the JavaScript types from these classes. docs/protocol.md explains every key.
"""

from games.protocol.deals import FairPage
from games.protocol.events import Event
from games.protocol.messages import ClientMessage, ServerMessage
from games.protocol.replay import ReplayPage
from games.protocol.table import TableView, WindowView
from games.rules.actions.moves import Move

# Other programs rely on this number. It increases when a key is renamed, removed or redefined. A
# client requests a version in the URL of the socket, and otherwise gets version 1.
VERSION = 2

# The types that are defined by name, including unions. All other types are found inside them.
NAMED = {
    "ClientMessage": ClientMessage,
    "ServerMessage": ServerMessage,
    "WindowView": WindowView,
    "Event": Event,
    "Action": Move,
    "ReplayPage": ReplayPage,
    "FairPage": FairPage,
}
