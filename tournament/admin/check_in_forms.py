"""The forms of the door: when people check in, and who comes to the desk without registering."""

from typing import ClassVar

from django import forms
from django.utils.translation import gettext_lazy

from tournament.admin.generic import AnyForm
from tournament.admin.shown import ShownForm
from tournament.forms import NameField
from tournament.models import Event
from tournament.services.walk_ins import WalkIn

MOMENT = "%Y-%m-%dT%H:%M"


class Moment(forms.DateTimeInput):
    """A date and a time as browsers let people choose them."""

    input_type = "datetime-local"

    def __init__(self) -> None:
        super().__init__(format=MOMENT)


class CheckInForm(ShownForm, AnyForm):
    """Whether players check in, and from when to when at the door."""

    class Meta:
        model = Event
        fields: ClassVar[list[str]] = ["check_in", "check_in_opens", "check_in_closes"]
        widgets: ClassVar[dict[str, type[Moment]]] = {
            "check_in_opens": Moment,
            "check_in_closes": Moment,
        }


class WalkInForm(forms.Form):
    """Three fields; the others only where the event's rules say otherwise."""

    name = NameField(label=gettext_lazy("Name"))
    roll_number = forms.CharField(label=gettext_lazy("Roll number"), max_length=40, required=False)
    email = forms.EmailField(
        label=gettext_lazy("E-mail address, if there is one"), max_length=254, required=False
    )
    reason = forms.CharField(
        label=gettext_lazy("Reason, if the rules say otherwise"), max_length=300, required=False
    )
    first = forms.BooleanField(label=gettext_lazy("Before those who wait already"), required=False)

    def told(self) -> WalkIn:
        return WalkIn(**self.cleaned_data)
