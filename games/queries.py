"""Queries about live matches."""

from games.deals.devices import device_keys
from games.deals.fairness import fair_deal_page
from games.guests import holder_of, player_of
from games.liveness.viewer_counts import count_viewers
from games.play.site_key import site_key
from games.reviews.careers import CareerFigures, career_figures
from games.reviews.page import review_page, review_sentence
from games.reviews.replayed import hand_luck
from games.tables.commentary import commentary_view, match_commentary
from games.tables.log import list_events
from games.tables.past_views import match_as_of
from games.tables.playback import REPLAY_ERRORS
from games.tables.reactions import reactions_after
from games.tables.replay import (
    hand_record,
    is_replay_open,
    list_dealer_draws,
    may_review,
    record_file,
    replay,
    shows_cards,
)
from games.tables.results import (
    rematch,
    replay_page,
    result_page,
    running_match,
    show_event_result,
)
from games.tables.sheet import Score, score
from games.tables.spectator_delay import (
    ShownMatch,
    Stream,
    commentary_stream,
    delay_text,
    match_for_seat,
    public_match,
    shown_from_cache,
    shown_now,
    stream_of,
)
from games.tables.statistics import HandTally, tally_hands
from games.tables.view import (
    add_coaching,
    match_view,
    own_part,
    presences,
    seconds_until_change,
    shared_part,
    table_view,
)

__all__ = [
    "REPLAY_ERRORS",
    "CareerFigures",
    "HandTally",
    "Score",
    "ShownMatch",
    "Stream",
    "add_coaching",
    "career_figures",
    "commentary_stream",
    "commentary_view",
    "count_viewers",
    "delay_text",
    "device_keys",
    "fair_deal_page",
    "hand_luck",
    "hand_record",
    "holder_of",
    "is_replay_open",
    "list_dealer_draws",
    "list_events",
    "match_as_of",
    "match_commentary",
    "match_for_seat",
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
    "review_sentence",
    "running_match",
    "score",
    "seconds_until_change",
    "shared_part",
    "show_event_result",
    "shown_from_cache",
    "shown_now",
    "shows_cards",
    "site_key",
    "stream_of",
    "table_view",
    "tally_hands",
]
