"""Organizers' forms for the settings of an event and its stages."""

from collections.abc import Callable
from typing import Any, ClassVar

from django import forms
from django.utils.functional import lazy
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.events.services import RULE_FIELDS, check_event, check_stage
from tournament.models import Event, Stage
from tournament.pure.ranking import DEFAULT_TIE_BREAKERS, METRICS, TIE_BREAKERS
from tournament.registration.eligibility.list_effects import CONDITIONS, find_newly_ineligible
from tournament.web.admin.base.access import CheckedForm
from tournament.web.admin.base.fields import (
    ConditionsField,
    DomainsField,
    ZoneField,
    label_date_and_time,
)
from tournament.web.admin.base.generic import AnyForm, AnyInlineFormSet
from tournament.web.admin.base.stale_forms import MergingForm


class TieBreakOrderField(forms.MultiValueField):
    """Field with which the organizer chooses and orders tie-breaks."""

    def __init__(self, **kwargs: Any) -> None:
        choices: list[tuple[str, Any]] = [("", "—")]
        choices += [(key, gettext_lazy(METRICS[key].title)) for key in TIE_BREAKERS]
        fields = [forms.ChoiceField(choices=choices, required=False) for _key in TIE_BREAKERS]
        super().__init__(
            fields=fields, widget=TieBreakOrderWidget(choices), require_all_fields=False, **kwargs
        )

    def prepare_value(self, value: Any) -> Any:
        """Extend the stored or default order with "" to the number of select inputs."""
        chosen = list(value or DEFAULT_TIE_BREAKERS)
        return chosen + [""] * (len(TIE_BREAKERS) - len(chosen))

    def has_changed(self, initial: Any, data: Any) -> bool:
        return [key for key in self.prepare_value(initial) if key] != [key for key in data if key]

    def compress(self, data_list: list[str]) -> list[str]:
        chosen = [key for key in data_list if key]
        if len(chosen) > len(set(chosen)):
            raise forms.ValidationError(_("Use each tie-break only once."))
        return chosen


TIE_BREAKER = gettext_lazy("tie-break {number}")


class TieBreakOrderWidget(forms.MultiWidget):
    """Widget with a select input for each position.

    The script `static/js/admin/order.js` turns the inputs into a single list.
    """

    def __init__(self, choices: list[tuple[str, str]]) -> None:
        widgets = [
            forms.Select(
                choices=choices,
                attrs={"aria-label": format_lazy(TIE_BREAKER, number=number)},
            )
            for number in range(1, len(choices))
        ]
        super().__init__(widgets)

    def render(
        self, name: str, value: Any, attrs: dict[str, object] | None = None, renderer: Any = None
    ) -> SafeString:
        return format_html("<div data-order>{}</div>", super().render(name, value, attrs, renderer))

    def decompress(self, value: list[str] | None) -> list[str]:
        return value or [""] * len(self.widgets)


def _describe_tie_breakers() -> str:
    """Describe what each tie-breaker compares."""
    rows = ((_(METRICS[key].title), _(METRICS[key].sentence)) for key in TIE_BREAKERS)
    metrics = format_html_join("", "<li><b>{}</b> {}</li>", rows)
    return format_html(
        "{} <ul>{}</ul>",
        _("When points are equal, these tie-breaks decide, in this order:"),
        metrics,
    )


class SettingsForm(MergingForm, CheckedForm):
    """Form for all settings of an event except its rules, which have their own page."""

    check_with: ClassVar[Callable[[Any], None]] = check_event
    fields_of = {"table-size": "table_size", "capacity": "capacity", "endless": "hand_limit"}

    conditions = ConditionsField()
    email_domains = DomainsField()
    unfit_stay = forms.BooleanField(
        label=gettext_lazy("Save anyway: the players named above keep their spots"),
        required=False,
        widget=forms.HiddenInput,
    )
    time_zone = ZoneField(help_text=gettext_lazy("All event times are shown in this time zone."))
    tie_breakers = TieBreakOrderField(
        label=gettext_lazy("Tie-breaks"),
        required=False,
        help_text=lazy(_describe_tie_breakers, str)(),
    )

    class Meta:
        model = Event
        exclude = ["ruleset", "options", "state", "second_person"]
        help_texts = {
            "table_size": gettext_lazy(
                "Some tables have fewer players when the numbers don’t divide evenly."
            ),
            "missed_rounds": gettext_lazy(
                "For late arrivals and players who sit out. The average counts for one missed "
                "round per stage, and any others count as losses. If the fewest points win, "
                "“not played” also counts as a loss. With equal points, the player who missed "
                "fewer rounds is ahead. A bye always counts as the player’s average."
            ),
            "viewers": gettext_lazy(
                "This setting also applies to the leaderboard and the result pages."
            ),
            "replays": gettext_lazy(
                "While the cards are hidden, a replay shows players their own cards, and shows "
                "everyone else what viewers saw."
            ),
        }

    def prepare(self) -> None:
        label_date_and_time(self)

    def _post_clean(self) -> None:
        super()._post_clean()
        if not self.errors and not {*CONDITIONS}.isdisjoint(self.changed_data):
            self._confirm_unfit_players()

    def _confirm_unfit_players(self) -> None:
        """Require confirmation if players do not meet the changed conditions.

        The message names the players, and the organizer decides whether they may stay.
        """
        names = find_newly_ineligible(Event.objects.get(pk=self.instance.pk), self.instance)
        if not names or self.cleaned_data["unfit_stay"]:
            return
        self.fields["unfit_stay"].widget = forms.CheckboxInput()
        text = ngettext(
            "Already taking part, but no longer eligible: {names}. Tick the box below to "
            "let this player keep their spot. To remove the player, use “Registrations”.",
            "{count} players are already taking part, but no longer eligible: {names}. "
            "Tick the box below to let them keep their spots. To remove a player, use "
            "“Registrations”.",
            len(names),
        )
        message = text.format(count=len(names), names=", ".join(names))
        self.add_error("unfit_stay", message)


CUT_HELP: dict[str, Any] = {
    "qualify_rule": gettext_lazy(
        "Players see this rule on the event’s page. After these rounds, when you know "
        "who would advance, you can confirm the rule or choose another one."
    ),
    "qualify_value": gettext_lazy("Not used when turnout decides how many advance."),
}
CUT_MADE_HELP = gettext_lazy(
    "Players have already advanced by this rule. To change it, reopen the stage "
    "under “Who advances”."
)


class StageForm(MergingForm):
    """Form for a stage. The placeholder of the title is the stage's default name."""

    instance: Stage

    def prepare(self) -> None:
        if self.instance.name:
            self.fields["title"].widget.attrs["placeholder"] = self.instance.get_name_display()
        else:
            self.fields["title"].required = True


class RoundsForm(StageForm, CheckedForm):
    """Form for rounds, and for the rule by which players advance.

    The rule cannot be changed once players have advanced.
    """

    check_with: ClassVar[Callable[[Any], None]] = check_stage
    fields_of = {"rule": "qualify_value"}

    def prepare(self) -> None:
        super().prepare()
        if self.instance.state == Stage.State.CLOSED:
            for name in RULE_FIELDS:
                self.fields[name].disabled = True
            self.fields["qualify_rule"].help_text = CUT_MADE_HELP

    class Meta:
        model = Stage
        fields = [
            "title",
            "rounds_planned",
            "qualify_rule",
            "qualify_value",
            "thresholds",
            "min_matches",
            "by_points",
            "rotation",
        ]
        help_texts = CUT_HELP


class LastRoundsForm(StageForm, AnyForm):
    """Form for rounds whose standings decide the event."""

    class Meta:
        model = Stage
        fields = ["title", "rounds_planned", "by_points", "rotation"]


class BracketForm(StageForm, AnyForm):
    """Form for a bracket, from its tables to the final."""

    class Meta:
        model = Stage
        fields = ["title", "advance", "cut_ties"]


class StagesFormSet(AnyInlineFormSet):
    """Formset for stages of one kind. It refuses forms for stages that no longer exist."""

    def clean(self) -> None:
        super().clean()
        if any(form.instance.pk is None for form in self.initial_forms):
            text = _("The stages have changed since you opened this page. Review the stages again.")
            raise forms.ValidationError(text, code="changed")
