"""Forms for the check-in settings and for walk-ins."""

from typing import ClassVar

from django import forms
from django.utils.translation import gettext_lazy, ngettext

from tournament.attendance.last_round import find_last_round
from tournament.attendance.walk_ins import WalkIn
from tournament.models import Event
from tournament.web.admin.base.generic import AnyForm
from tournament.web.admin.base.stale_forms import MergingForm
from tournament.web.forms.registration import NameField

DATETIME_FORMAT = "%Y-%m-%dT%H:%M"


class DateTimeLocalInput(forms.DateTimeInput):
    """Input for a date and time with the browser's own pickers."""

    input_type = "datetime-local"

    def __init__(self) -> None:
        super().__init__(format=DATETIME_FORMAT)


class CheckInForm(MergingForm, AnyForm):
    """Form to turn check-in on or off and to set its hours."""

    class Meta:
        model = Event
        fields: ClassVar[list[str]] = ["check_in", "check_in_opens", "check_in_closes"]
        widgets: ClassVar[dict[str, type[DateTimeLocalInput]]] = {
            "check_in_opens": DateTimeLocalInput,
            "check_in_closes": DateTimeLocalInput,
        }

    played = forms.BooleanField(required=False)

    def prepare(self) -> None:
        """Offer to check in the players of the last round, if check-in has been off."""
        last_attendance = None if self.instance.check_in else find_last_round(self.instance)
        if last_attendance is None:
            del self.fields["played"]
            return
        text = ngettext(
            "Check in {count} player who played in {round}",
            "Check in {count} players who played in {round}",
            len(last_attendance.people),
        )
        self.fields["played"].label = text.format(
            count=len(last_attendance.people), round=last_attendance.round.title
        )
        self.initial["played"] = last_attendance.is_recent


class WalkInForm(forms.Form):
    """Form to register a walk-in."""

    name = NameField(label=gettext_lazy("Name"))
    roll_number = forms.CharField(label=gettext_lazy("Roll number"), max_length=40, required=False)
    email = forms.EmailField(
        label=gettext_lazy("Email address (optional)"), max_length=254, required=False
    )
    reason = forms.CharField(
        label=gettext_lazy("Reason for an exception to the rules"), max_length=300, required=False
    )
    first = forms.BooleanField(label=gettext_lazy("Skip the waitlist"), required=False)

    def walk_in(self) -> WalkIn:
        return WalkIn(**self.cleaned_data)
