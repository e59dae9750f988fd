"""Services that change live matches.

Each function opens the transactions that it needs.
"""

from games.clocks.presence import HEARTBEAT_SECONDS, record_presence
from games.deals.readiness import note_ready
from games.deals.shares import ShareTarget, commit_share, open_share
from games.guests import remove_guest
from games.json_values.event_context import Occasion
from games.json_values.shapes import Links
from games.liveness.compensation import compensate_outages, has_uncompensated_matches
from games.liveness.disk_space import check_disk_space
from games.liveness.heartbeat import beat, beat_if_overdue
from games.liveness.lost_processes import end_loan
from games.liveness.round_trips import store_round_trips
from games.liveness.viewer_counts import store_viewers
from games.matches.absence import resume_deserted_table
from games.matches.extra_time import (
    MAX_EXTRA_SECONDS,
    check_extra_seconds,
    extend_turn,
    give_time,
    postpone_end,
)
from games.matches.lifecycle import (
    abandon_match,
    create_match,
    limit_viewers,
    pause_match,
    redo_hand,
    resume_match,
    set_commentary,
    start_match,
)
from games.matches.reactions import react
from games.matches.requests import act
from games.matches.seat_holders import change_seat, note_ruling
from games.matches.spec import (
    SHARE_SECONDS,
    CarriedHands,
    Limits,
    MatchSpec,
    Pace,
    SeatSpec,
    SpectatorRules,
    TableHeading,
)
from games.matches.ticks import due_matches, play_out, run_due_step, tick
from games.play.answers import GOING, Ack, RefusedError, UndecidedError
from games.play.codes import PlayCode
from games.play.devices import read_device_signature
from games.practice.practice import (
    delete_guest_matches,
    delete_practice,
    guests_welcome,
    start_practice,
    strong_bots_allowed,
    transfer_practice,
)
from games.reviews.task import request_recent_reviews, request_review
from games.rules.bots.bots import EMPTY
from games.seats import SeatNumber

__all__ = [
    "EMPTY",
    "GOING",
    "HEARTBEAT_SECONDS",
    "MAX_EXTRA_SECONDS",
    "SHARE_SECONDS",
    "Ack",
    "CarriedHands",
    "Limits",
    "Links",
    "MatchSpec",
    "Occasion",
    "Pace",
    "PlayCode",
    "RefusedError",
    "SeatNumber",
    "SeatSpec",
    "ShareTarget",
    "SpectatorRules",
    "TableHeading",
    "UndecidedError",
    "abandon_match",
    "act",
    "beat",
    "beat_if_overdue",
    "change_seat",
    "check_disk_space",
    "check_extra_seconds",
    "commit_share",
    "compensate_outages",
    "create_match",
    "delete_guest_matches",
    "delete_practice",
    "due_matches",
    "end_loan",
    "extend_turn",
    "give_time",
    "guests_welcome",
    "has_uncompensated_matches",
    "limit_viewers",
    "note_ready",
    "note_ruling",
    "open_share",
    "pause_match",
    "play_out",
    "postpone_end",
    "react",
    "read_device_signature",
    "record_presence",
    "redo_hand",
    "remove_guest",
    "request_recent_reviews",
    "request_review",
    "resume_deserted_table",
    "resume_match",
    "run_due_step",
    "set_commentary",
    "start_match",
    "start_practice",
    "store_round_trips",
    "store_viewers",
    "strong_bots_allowed",
    "tick",
    "transfer_practice",
]
