"""What reads live matches."""

from games.guests import holder_of, player_of
from games.queries.commentary import commentary_view, match_commentary
from games.queries.fairness import fair_page
from games.queries.log import events_since
from games.queries.pages import rematch, replay_page, result_page, running_match
from games.queries.reactions import reactions_after
from games.queries.replay import hand_record, is_open, may_review, record_file, replay, shows_cards
from games.queries.review import review_page
from games.queries.sheet import Score, score
from games.queries.table import (
    changes_by_itself,
    match_view,
    own_part,
    presences,
    shared_part,
    table_view,
)
from games.queries.tape import NOT_PLAYED_SO
from games.queries.viewing import (
    Shown,
    Stream,
    commentary_stream,
    glance,
    look,
    public_match,
    seen,
    stream_of,
    told,
)

__all__ = [
    "NOT_PLAYED_SO",
    "Score",
    "Shown",
    "Stream",
    "changes_by_itself",
    "commentary_stream",
    "commentary_view",
    "events_since",
    "fair_page",
    "glance",
    "hand_record",
    "holder_of",
    "is_open",
    "look",
    "match_commentary",
    "match_view",
    "may_review",
    "own_part",
    "player_of",
    "presences",
    "public_match",
    "reactions_after",
    "record_file",
    "rematch",
    "replay",
    "replay_page",
    "result_page",
    "review_page",
    "running_match",
    "score",
    "seen",
    "shared_part",
    "shows_cards",
    "stream_of",
    "table_view",
    "told",
]
