"""What reads live matches."""

from games.queries.log import events_since
from games.queries.pages import replay_page, result_page
from games.queries.replay import hand_record, is_open, replay
from games.queries.sheet import Result, result
from games.queries.table import changes_by_itself, match_view, table_view

__all__ = [
    "Result",
    "changes_by_itself",
    "events_since",
    "hand_record",
    "is_open",
    "match_view",
    "replay",
    "replay_page",
    "result",
    "result_page",
    "table_view",
]
