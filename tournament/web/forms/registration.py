"""Forms for names, desk codes and registration.

The organizers' forms are in the admin packages.
"""

from typing import Any

from django import forms
from django.template.defaultfilters import linebreaksbr
from django.utils.html import format_html
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.common.refusals import RefusedError
from tournament.models import Event, User
from tournament.people.consent import compute_consent_digest
from tournament.pure.texts import clean_text, is_name

NAME_LENGTH = 40


class NameField(forms.CharField):
    """Field for a public name: one line without invisible or stacked characters."""

    default_error_messages = {
        "required": gettext_lazy("Enter the name that the others at the table will see."),
        "max_length": format_lazy(gettext_lazy("Use at most {most} characters."), most=NAME_LENGTH),
        "unreadable": gettext_lazy("Use letters and numbers that others can read."),
    }

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=NAME_LENGTH, **kwargs)

    def to_python(self, value: Any) -> str:
        return clean_text(str(value or ""))

    def validate(self, value: str) -> None:
        super().validate(value)
        if not is_name(value):
            raise forms.ValidationError(self.error_messages["unreadable"], code="unreadable")


class DisplayNameField(NameField):
    """Field for the name of an account, which everyone at a table can see."""

    def __init__(self) -> None:
        super().__init__(
            label=gettext_lazy("Name shown at tables"),
            help_text=gettext_lazy(
                "Everyone can see this name. Events with an eligibility list use the name on "
                "that list."
            ),
            widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
        )


class DeskCodeForm(forms.Form):
    """Form for the code that an organizer shows at the desk."""

    code = forms.CharField(
        max_length=20,
        label=gettext_lazy("Code from the desk"),
        error_messages={"required": gettext_lazy("Enter the code shown at the desk.")},
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "autocapitalize": "characters"}
        ),
    )


class ProfileForm(forms.Form):
    display_name = DisplayNameField()


def _make_consent_text(event: Event) -> str:
    text = linebreaksbr(event.consent, autoescape=True)
    return format_html("{}<br>{}", _("I agree to this:"), text)


class ConsentField(forms.ChoiceField):
    """Field for consent to the event's terms.

    Its value identifies the wording that the person has read.
    """

    def __init__(self, event: Event) -> None:
        text = gettext_lazy("Read what you’re agreeing to, then tick the box.")
        super().__init__(
            widget=forms.RadioSelect,
            label=gettext_lazy("Terms of the event"),
            choices=[(compute_consent_digest(event), _make_consent_text(event))],
            error_messages={"required": text, "invalid_choice": text},
        )


class RegistrationForm(forms.Form):
    """Registration form of an event.

    It has a field for the roll number if the event has an eligibility list, and otherwise one for
    the name.
    """

    # The field at which a refusal is shown, by the refusal's code. Others are shown above the form.
    FIELDS = {
        "no-roll": "roll_number",
        "not-listed": "roll_number",
        "taken": "roll_number",
        "no-name": "name",
        "name-taken": "name",
        "consent": "consent",
    }

    roll_number = forms.CharField(
        max_length=40,
        label=gettext_lazy("Roll number"),
        help_text=gettext_lazy("As printed on your student card."),
        error_messages={"required": gettext_lazy("Enter your roll number.")},
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "characters"}),
    )
    name = NameField(
        label=gettext_lazy("Name shown at tables"),
        help_text=gettext_lazy("Everyone can see this name, here and in the results."),
    )

    def __init__(self, event: Event, user: User, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("initial", {"name": user.display_name})
        super().__init__(*args, **kwargs)
        del self.fields["name" if event.eligibility_required else "roll_number"]
        if event.consent:
            self.fields["consent"] = ConsentField(event)

    def add_refusal(self, refused: RefusedError) -> None:
        field = self.FIELDS.get(refused.code)
        self.add_error(field if field in self.fields else None, refused.sentence)
