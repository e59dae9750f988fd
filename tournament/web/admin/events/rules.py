"""The rules of an event: one form made from the descriptions of the options."""

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
from tournament.events.services import rules_are_fixed, set_rules
from tournament.models import Event
from tournament.web.admin.base.pages import EventPage
from tournament.web.admin.base.stale_forms import ShownForm

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
REST = gettext_lazy("Special cards")


class FieldArguments(TypedDict):
    """Arguments common to the fields of all kinds of options."""

    label: str
    help_text: str
    required: bool


def option_field(option: rulesets.Option) -> forms.Field:
    """Return the form field of an option, with sentences for its values."""
    help_text = _(option.help) if option.help else ""
    common: FieldArguments = {"label": _(option.title), "help_text": help_text, "required": False}
    if option.kind in ("choice", "bool"):
        choices = [(str(value), sentence) for value, sentence in option.sentences().items()]
        return forms.ChoiceField(choices=choices, widget=forms.RadioSelect, **common)
    named = {"aria-label": common["label"]}
    if option.kind == "int":
        number = forms.NumberInput(named)
        return forms.IntegerField(
            min_value=option.min, max_value=option.max, widget=number, **common
        )
    return forms.CharField(max_length=option.max or 8, widget=forms.TextInput(named), **common)


class RulesForm(ShownForm):
    """Form for all options of a rule set; `values()` has the engine's values after a valid POST."""

    def __init__(self, event: Event, rules: rulesets.RuleSet, data: Any = None) -> None:
        self.rules = rules
        self.stored = rulesets.make(event.ruleset, event.options)
        initial = {name: str(value) for name, value in rules.options().items()}
        super().__init__(data, initial=initial)

    def prepare(self) -> None:
        for name, option in rulesets.OPTIONS.items():
            self.fields[name] = option_field(option)

    def basis(self) -> str:
        """Return the event's rule set, plus its options while another rule set is being chosen."""
        chosen = self.rules.key == self.stored.key
        return (
            f"{self.stored.key} {'' if chosen else sorted(self.stored.changed_options().items())}"
        )

    def describe_basis(self) -> str:
        text = _(
            "Another organizer has changed the rules to {rules}. Save again to replace "
            "them with yours."
        )
        return text.format(rules=self.stored.name)

    def groups(self) -> Iterator[tuple[str | Promise, list[forms.BoundField]]]:
        """Yield the fields under their headings; fields without effect come last."""
        grouped = {name for names in GROUPS.values() for name in names}
        rest = tuple(name for name in rulesets.OPTIONS if name not in grouped)
        for title, names in {**GROUPS, REST: rest}.items():
            yield title, [self[name] for name in names if applies(name, self.rules)]
        idle = [self[name] for name in rulesets.OPTIONS if not applies(name, self.rules)]
        yield _("No effect with the other options you chose"), idle

    def clean(self) -> dict[str, Any]:
        cleaned = super().clean() or {}
        if not self.errors:
            try:
                rulesets.make(self.rules.key, self.values())
            except rulesets.OptionError as error:
                self.add_error(error.name if error.name in self.fields else None, error.sentence)
        return cleaned

    def values(self) -> dict[str, object]:
        """Return the chosen value of every option, in the option's own type."""
        return {name: self._get_value(name) for name in rulesets.OPTIONS}

    def _get_value(self, name: str) -> Any:
        given = self.cleaned_data.get(name)
        if given in (None, "") and rulesets.OPTIONS[name].kind not in ("card", "text"):
            return getattr(self.rules, name)
        by_text = {str(value): value for value in rulesets.OPTIONS[name].values}
        return given if rulesets.OPTIONS[name].kind == "int" else by_text.get(str(given), given)


class RulesPage(EventPage):
    """Page to choose a rule set (GET `ruleset`), then its options."""

    title = gettext_lazy("Rules")
    tab = "rules"
    template_name = "admin/events/rules.html"
    sees = "see_settings"

    def rules(self) -> rulesets.RuleSet:
        """Return the event's own rules, or the defaults of a rule set being chosen."""
        asked = self.request.POST.get("ruleset") or self.request.GET.get("ruleset")
        if asked in rulesets.RULE_SETS and asked != self.event.ruleset:
            return rulesets.RULE_SETS[asked]
        return rulesets.make(self.event.ruleset, self.event.options)

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        rules = self.rules()
        form = kwargs.pop("form", None) or RulesForm(self.event, rules)
        return super().get_context_data(
            form=form,
            rules=rules,
            rule_sets=rulesets.RULE_SETS.values(),
            fixed=rules_are_fixed(self.event),
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
