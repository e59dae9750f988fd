"""Descriptions of an event's rules on forfeits, withdrawals and misconduct."""

from collections.abc import Iterator

from django.utils.translation import gettext as _

from tournament.models import Event
from tournament.results.queries import rules_of


def rulings_text(event: Event) -> str:
    """Describe the event's settings for forfeits, disqualifications, absences and substitutes."""
    return " ".join(
        [
            _("A player who forfeits a match gets {rule}.").format(
                rule=event.get_forfeits_display()
            ),
            _("A disqualified player’s matches {rule}.").format(
                rule=event.get_disqualified_display()
            ),
            *_describe_missed_rounds(event),
            _("Substitutes play {rule}.").format(rule=event.get_substitutes_display()),
        ]
    )


def _describe_missed_rounds(event: Event) -> Iterator[str]:
    low = rules_of(event).scoring != "winner-takes"
    if event.missed_rounds == Event.Missed.NOTHING and low:
        yield _("A missed round counts as a lost match, because points per match decide.")
    else:
        yield _("A missed round counts as {rule}.").format(rule=event.get_missed_rounds_display())
    if event.missed_rounds == Event.Missed.AVERAGE:
        yield _("The average counts for one missed round per stage. Any others count as losses.")
    yield _("With equal points, the player who missed fewer rounds is ahead.")
    yield _("A bye counts as the player’s average points per match.")
