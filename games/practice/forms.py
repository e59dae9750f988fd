"""Form to start a practice match."""

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy

from games.rules.bots.bots import LEVELS
from games.rules.ruleset.rulesets import RULE_SETS, OptionError, make

MAX_SEATS = max(rules.max_seats for rules in RULE_SETS.values())


class PracticeForm(forms.Form):
    """Rule set, number of players, and strength of the bots at all other seats."""

    ruleset = forms.ChoiceField(
        label=gettext_lazy("Rules"),
        choices=[(rules.key, rules.name) for rules in RULE_SETS.values()],
    )
    seats = forms.IntegerField(
        label=gettext_lazy("Players (including you)"), min_value=2, max_value=MAX_SEATS, initial=4
    )
    strength = forms.ChoiceField(
        label=gettext_lazy("Bots"),
        choices=[(name, gettext_lazy(level.title)) for name, level in LEVELS.items()],
        initial="plain",
        required=False,
    )

    fast = forms.BooleanField(required=False)

    def clean_strength(self) -> str:
        """Return the chosen strength. The default is plain."""
        return self.cleaned_data["strength"] or "plain"

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if "ruleset" in cleaned and "seats" in cleaned:
            try:
                make(cleaned["ruleset"]).check_seats(cleaned["seats"])
            except OptionError as error:
                self.add_error("seats", str(error))
        return cleaned
