"""Page for the rules of an event, with a form generated from the options' descriptions."""

from collections.abc import Iterator
from typing import Any, TypedDict

from django import forms
from django.db import transaction
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from games.rules.ruleset import rulesets
from games.rules.ruleset.applicability import applies
from tournament.common.locks import lock_event
from tournament.events.services import are_rules_fixed, set_rules
from tournament.models import Event
from tournament.web.admin.base.pages import EventPage
from tournament.web.admin.base.stale_forms import MergingForm

GROUPS = {
    gettext_lazy("Points and target"): ("scoring", "target", "partners"),
    gettext_lazy("Deck and deal"): (
        "deck",
        "hand_size",
        "hand_size_two",
        "first_dealer",
        "next_dealer",
    ),
    gettext_lazy("Turn time"): ("renege", "draw", "drawn_card", "face_wilds", "penalty_ends_turn"),
    gettext_lazy("Draw cards"): ("stacking", "wild_draw_four", "challenge", "last_draw_two"),
    gettext_lazy("Saying UNO"): (
        "uno_penalty",
        "uno_before_play",
        "uno_window",
        "partner_catches",
        "wrong_catch_penalty",
    ),
    gettext_lazy("Starting card"): (
        "opening_wild",
        "opening_draw_two",
        "opening_skip",
        "opening_reverse",
    ),
}
REST_TITLE = gettext_lazy("Special cards")


class FieldArguments(TypedDict):
    """Arguments that all types of option fields share."""

    label: str
    help_text: str
    required: bool


def make_option_field(option: rulesets.Option) -> forms.Field:
    """Return a form field for an option. A sentence describes each choice."""
    help_text = _(option.help) if option.help else ""
    common: FieldArguments = {"label": _(option.title), "help_text": help_text, "required": False}
    if option.kind in ("choice", "bool"):
        choices = [(str(value), sentence) for value, sentence in option.sentences().items()]
        return forms.ChoiceField(choices=choices, widget=forms.RadioSelect, **common)
    aria_label = {"aria-label": common["label"]}
    if option.kind == "int":
        number_input = forms.NumberInput(aria_label)
        return forms.IntegerField(
            min_value=option.min, max_value=option.max, widget=number_input, **common
        )
    return forms.CharField(max_length=option.max or 8, widget=forms.TextInput(aria_label), **common)


class RulesForm(MergingForm):
    """Form for all options of a rule set.

    Once the form is valid, `values()` returns the chosen options.
    """

    def __init__(self, event: Event, rules: rulesets.RuleSet, data: Any = None) -> None:
        self.rules = rules
        self.stored = rulesets.make(event.ruleset, event.options)
        initial = {name: str(value) for name, value in rules.options().items()}
        super().__init__(data, initial=initial)

    def prepare(self) -> None:
        for name, option in rulesets.OPTIONS.items():
            self.fields[name] = make_option_field(option)

    def basis(self) -> str:
        """Return the event's rule set, with its options if another rule set is being chosen."""
        is_current = self.rules.key == self.stored.key
        options = "" if is_current else sorted(self.stored.changed_options().items())
        return f"{self.stored.key} {options}"

    def describe_basis(self) -> str:
        text = _(
            "Another organizer has changed the rules to {rules}. Save again to replace "
            "them with yours."
        )
        return text.format(rules=self.stored.name)

    def groups(self) -> Iterator[tuple[str | Promise, list[forms.BoundField]]]:
        """Yield each heading with its fields. Fields that have no effect come last."""
        grouped = {name for names in GROUPS.values() for name in names}
        ungrouped = tuple(name for name in rulesets.OPTIONS if name not in grouped)
        for title, names in {**GROUPS, REST_TITLE: ungrouped}.items():
            yield title, [self[name] for name in names if applies(name, self.rules)]
        without_effect = [self[name] for name in rulesets.OPTIONS if not applies(name, self.rules)]
        yield _("No effect with the other options you chose"), without_effect

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors:
            try:
                rulesets.make(self.rules.key, self.values())
            except rulesets.OptionError as error:
                self.add_error(error.name if error.name in self.fields else None, error.sentence)
        return cleaned

    def values(self) -> dict[str, object]:
        """Return the chosen value of every option, in the option's type."""
        return {name: self._get_value(name) for name in rulesets.OPTIONS}

    def _get_value(self, name: str) -> Any:
        chosen = self.cleaned_data.get(name)
        if chosen in (None, "") and rulesets.OPTIONS[name].kind not in ("card", "text"):
            return getattr(self.rules, name)
        values_by_text = {str(value): value for value in rulesets.OPTIONS[name].values}
        return (
            chosen
            if rulesets.OPTIONS[name].kind == "int"
            else values_by_text.get(str(chosen), chosen)
        )


class RulesPage(EventPage):
    """Page to choose a rule set (`?ruleset`) and its options."""

    title = gettext_lazy("Rules")
    tab = "rules"
    template_name = "admin/events/rules.html"
    view_right = "see_settings"

    def rules(self) -> rulesets.RuleSet:
        """Return the event's rules, or the defaults of the rule set that is being chosen."""
        key = self.request.POST.get("ruleset") or self.request.GET.get("ruleset")
        if key in rulesets.RULE_SETS and key != self.event.ruleset:
            return rulesets.RULE_SETS[key]
        return rulesets.make(self.event.ruleset, self.event.options)

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        rules = self.rules()
        form = kwargs.pop("form", None) or RulesForm(self.event, rules)
        return super().get_context_data(
            form=form,
            rules=rules,
            rule_sets=rulesets.RULE_SETS.values(),
            fixed=are_rules_fixed(self.event),
            **kwargs,
        )

    @transaction.atomic
    def post(self, request: Any, *args: Any, **kwargs: Any) -> Any:
        self.event = lock_event(self.event)
        form = RulesForm(self.event, self.rules(), request.POST)
        if request.POST.get("action") == "save" and not form.is_valid():
            return self.render_to_response(self.get_context_data(form=form), status=422)
        self.form = form
        return super().post(request, *args, **kwargs)

    def actions(self) -> Any:
        return {"save": self.save}

    def save(self) -> str:
        event = set_rules(self.event, self.user, self.form.rules.key, self.form.values())
        return ngettext(
            "Rules saved: {name}, {count} option changed.",
            "Rules saved: {name}, {count} options changed.",
            len(event.options),
        ).format(name=self.form.rules.name, count=len(event.options))
