"""The notes in a hand's log in words: what was done to the match itself while it was played."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.clocks import timing
from games.models import Match
from games.seats import SeatNumber
from games.store import Snapshot
from games.stored.state import SAID, LogNote

MINUTE = 60


def deserted() -> str:
    """Why nothing goes on at a table without its people."""
    return _("Nobody is here: the table is paused until somebody comes back.")


def stopped(match: Match) -> str:
    """Why the table paused by itself; "" where somebody paused it."""
    if timing.damaged(match):
        return _("The hand stands still until an organizer has it dealt again.")
    return deserted() if timing.deserted(match) else ""


def note_text(note: LogNote, snapshot: Snapshot) -> str:
    """The note as a sentence; KeyError for a code that no service notes."""
    patterns = {
        SAID: "{text}",
        "deserted": deserted(),
        timing.DAMAGED: _(
            "Hand {number} stands still: a share that its cards come from was changed or deleted "
            "in the database. An organizer has the hand dealt again."
        ),
        "played-on": _("Somebody is here again: play goes on."),
        "redone": _("The organizer has hand {number} dealt again: {reason}"),
        "outage": _away(note),
        "clock-set": _("The site's clock was set by {seconds} s; nobody's time has changed."),
        "cut-off": _(
            "{name} was cut off by a fault of the site: the clock waits, at most {seconds} s."
        ),
        "time-for-one": _("The organizer gives {name} {seconds} s more for each turn."),
        "seat-changed": _("From now on {name} plays at seat {place}."),
        "seat-bot": _("From now on a bot plays in the place of {name}."),
        "seat-empty": _("{name} plays no longer: the seat draws and passes."),
        "ruling-caution": _("{name} is cautioned by the referee."),
        "ruling-warning": _("{name} is warned by the referee."),
        "ruling-points": _points_off(note),
        "longer-turn": _("The organizer gives {name} {seconds} s more for this turn."),
        "longer-round": _longer(note),
        "time-for-all": _("The organizer gives everybody {seconds} s more for each turn."),
    }
    return patterns[note.code].format(
        **note.facts, minutes=_minutes(note), name=_name(note, snapshot)
    )


def _points_off(note: LogNote) -> str:
    return ngettext(
        "The referee takes {points} point off {name}.",
        "The referee takes {points} points off {name}.",
        int(note.facts.get("points", 0)),
    )


def _away(note: LogNote) -> str:
    if int(note.facts.get("seconds", 0)) < 2 * MINUTE:
        return _("The site was away for {seconds} s; the clocks stood still.")
    return _("The site was away for {minutes} min; the clocks stood still.")


def _longer(note: LogNote) -> str:
    if int(note.facts.get("seconds", 0)) < 2 * MINUTE:
        return _("The organizer gives this table {seconds} s more until the end of the round.")
    return _("The organizer gives this table {minutes} min more until the end of the round.")


def _minutes(note: LogNote) -> int:
    return round(int(note.facts.get("seconds", 0)) / MINUTE)


def _name(note: LogNote, snapshot: Snapshot) -> str:
    """Who got something; empty for a note that is about everybody."""
    seat = note.facts.get("seat")
    return "" if seat is None else snapshot.seats[SeatNumber(int(seat))].said
