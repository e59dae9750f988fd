"""Wording of notes, the lines in a hand's log that are not actions."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.clocks import timing
from games.json_values.state import SAID, LogNote
from games.models import Match
from games.seats import SeatNumber
from games.store import Snapshot

MINUTE = 60


def describe_desertion() -> str:
    """Return the sentence for a table that paused because no player is present."""
    return _("No one is here. The table is paused until someone comes back.")


def describe_stop(match: Match) -> str:
    """Return the reason why the table paused automatically, or "" if an organizer paused it."""
    if timing.is_damaged(match):
        return _("The hand is on hold until an organizer has it dealt again.")
    return describe_desertion() if timing.is_deserted(match) else ""


def note_text(note: LogNote, snapshot: Snapshot) -> str:
    """Return the note as a sentence in the reader's language.

    Raises KeyError for an unknown code.
    """
    patterns = {
        SAID: "{text}",
        "deserted": describe_desertion(),
        timing.DAMAGED: _(
            "Hand {number} is on hold: a contribution to its shuffle was changed or "
            "deleted in the database. An organizer needs to have the hand dealt again."
        ),
        "played-on": _("Someone is back. Play continues."),
        "redone": _("An organizer had hand {number} dealt again: {reason}"),
        "outage": _describe_outage(note),
        "clock-set": _(
            "The site’s clock was adjusted by {seconds} s. No one gained or lost any time."
        ),
        "cut-off": _(
            "{name} was disconnected because of a problem with the site. The clock will "
            "wait up to {seconds} s."
        ),
        "time-for-one": _("An organizer gave {name} {seconds} s extra per turn."),
        "seat-changed": _("{name} is now playing in seat {place}."),
        "seat-bot": _("A bot is now playing for {name}."),
        "seat-empty": _("{name} is no longer playing. The site draws and passes for them."),
        "ruling-caution": _("The referee cautioned {name}."),
        "ruling-warning": _("The referee warned {name}."),
        "ruling-points": _describe_points_deducted(note),
        "longer-turn": _("An organizer gave {name} {seconds} s extra for this turn."),
        "longer-round": _describe_extra_time(note),
        "time-for-all": _("An organizer gave everyone {seconds} s extra per turn."),
    }
    minutes = round(int(note.facts.get("seconds", 0)) / MINUTE)
    return patterns[note.code].format(
        **note.facts, minutes=minutes, name=_name_player(note, snapshot)
    )


def _describe_points_deducted(note: LogNote) -> str:
    return ngettext(
        "The referee deducted {points} point from {name}.",
        "The referee deducted {points} points from {name}.",
        int(note.facts.get("points", 0)),
    )


def _describe_outage(note: LogNote) -> str:
    if int(note.facts.get("seconds", 0)) < 2 * MINUTE:
        return _("The site was down for {seconds} s. All clocks were stopped during that time.")
    return _("The site was down for {minutes} min. All clocks were stopped during that time.")


def _describe_extra_time(note: LogNote) -> str:
    if int(note.facts.get("seconds", 0)) < 2 * MINUTE:
        return _("An organizer extended the round at this table by {seconds} s.")
    return _("An organizer extended the round at this table by {minutes} min.")


def _name_player(note: LogNote, snapshot: Snapshot) -> str:
    """Return the name of the player whom a note concerns, or "" if it concerns everyone."""
    seat = note.facts.get("seat")
    return "" if seat is None else snapshot.seats[SeatNumber(int(seat))].said
