"""Short forms with sensible defaults for the steps of creating an event."""

from typing import Any

from django import forms
from django.conf import settings
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.rules.ruleset import rulesets
from tournament.models import Event
from tournament.pure.formats import READY, USUAL, ReadyFormat
from tournament.pure.zones import find_zone
from tournament.web.admin.base.fields import ConditionsField, DomainsField, ZoneField
from tournament.web.admin.base.generic import AnyForm

USUAL_RULES = gettext_lazy("the format’s usual rules")


class StepForm(AnyForm):
    """Form for one step. All steps set fields of the same event."""

    title: Any

    def apply_to(self, event: Event) -> None:
        """Set the event's fields that are derived from the answers in this step."""


class FormatForm(StepForm):
    """Form for the title, the format and the rule set."""

    way = forms.ChoiceField(
        label=gettext_lazy("Format"),
        initial=USUAL.key,
        widget=forms.RadioSelect,
        choices=[(key, gettext_lazy(each.name)) for key, each in READY.items()],
    )
    ruleset = forms.ChoiceField(
        label=gettext_lazy("Rule set"),
        required=False,
        choices=[
            ("", USUAL_RULES),
            *((key, each.name) for key, each in rulesets.RULE_SETS.items()),
        ],
    )

    class Meta:
        model = Event
        fields = ["title"]

    @property
    def ready(self) -> ReadyFormat:
        return READY[self.cleaned_data["way"]]

    def choices(self) -> list[tuple[Any, str]]:
        """Return each format with a sentence about its purpose."""
        sentences = [_(each.sentence) for each in READY.values()]
        return list(zip(self["way"], sentences, strict=True))

    def apply_to(self, event: Event) -> None:
        default = Event._meta.get_field("ruleset").default
        event.ruleset = self.cleaned_data["ruleset"] or self.ready.ruleset or default
        rules = rulesets.make(event.ruleset, self.ready.options)
        event.options = rules.changed_options()
        for name, value in self.ready.settings.items():
            setattr(event, name, value)


class ParticipantsForm(StepForm):
    """Form for the conditions that participants must meet."""

    conditions = ConditionsField()
    email_domains = DomainsField()

    class Meta:
        model = Event
        fields = [
            "eligibility_required",
            "conditions",
            "email_domains",
            "requires_approval",
            "check_in",
            "capacity",
        ]
        labels = {"capacity": gettext_lazy("maximum number of players")}
        help_texts = {
            "eligibility_required": gettext_lazy(
                "Upload the list in the last step, or later from the desk. Without a list, "
                "anyone with a confirmed email address can register."
            ),
            "capacity": gettext_lazy(
                "Once the event is full, new registrations go on the waitlist. Leave empty for "
                "no limit."
            ),
        }


class TimeAndPlaceForm(StepForm):
    """Form for the time and place. Times are in the chosen zone."""

    time_zone = ZoneField()

    class Meta:
        model = Event
        fields = [
            "starts_at",
            "time_zone",
            "registration_closes",
            "place",
            "contact_name",
            "contact_email",
            "contact_phone",
            "contact_room",
        ]
        field_classes = {
            "starts_at": forms.SplitDateTimeField,
            "registration_closes": forms.SplitDateTimeField,
        }
        widgets = {
            name: forms.SplitDateTimeWidget(
                date_attrs={"type": "date"}, time_attrs={"type": "time"}
            )
            for name in ("starts_at", "registration_closes")
        }
        help_texts = {"contact_name": gettext_lazy("Shown to players wherever they may need help.")}

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if not self.is_bound:
            self.fields["time_zone"].widget.attrs["data-device"] = ""

    def full_clean(self) -> None:
        zone = self.data.get("time_zone") if self.is_bound else ""
        with timezone.override(find_zone(zone or "") or settings.TIME_ZONE):
            super().full_clean()


STEPS: dict[str, type[StepForm]] = {
    "format": FormatForm,
    "people": ParticipantsForm,
    "when": TimeAndPlaceForm,
}
TITLES = {
    "format": gettext_lazy("Game and format"),
    "people": gettext_lazy("Who can play"),
    "when": gettext_lazy("When and where"),
    "sum": gettext_lazy("Summary"),
}
