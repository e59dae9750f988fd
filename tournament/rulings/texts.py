"""Descriptions of an event's rules on forfeits, withdrawals and misconduct."""

from django.utils.translation import gettext as _

from tournament.models import Event


def rulings_text(event: Event) -> str:
    """Its settings about that, in sentences."""
    return " ".join(
        [
            _("A player who forfeits a match gets {rule}.").format(
                rule=event.get_forfeits_display()
            ),
            _("A disqualified player’s matches {rule}.").format(
                rule=event.get_disqualified_display()
            ),
            _("A missed round counts as {rule}.").format(rule=event.get_missed_rounds_display()),
            _("Substitutes play {rule}.").format(rule=event.get_substitutes_display()),
        ]
    )
