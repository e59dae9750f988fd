"""Forms of the public pages; the organizers' are beside the admin."""

from typing import Any

from allauth.account.forms import LoginForm as AllauthLoginForm
from allauth.account.forms import ResetPasswordKeyForm
from allauth.account.forms import SignupForm as AllauthSignupForm
from django import forms
from django.contrib.auth.hashers import make_password
from django.http import HttpRequest, HttpResponse
from django.template.defaultfilters import linebreaksbr
from django.utils.html import format_html
from django.utils.text import format_lazy
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.models import Event, User
from tournament.plumbing.accounts import limit_session
from tournament.plumbing.proof import by_mail_alone
from tournament.services import Refused
from tournament.services.consent import digest_of
from tournament.texts import clean_text

NAME_LENGTH = 40


class NameField(forms.CharField):
    """A name that others read: one line, without invisible or stacked characters."""

    default_error_messages = {
        "required": gettext_lazy("Please give the name that the others at the table will see."),
        "max_length": format_lazy(
            gettext_lazy("Please use at most {most} characters."), most=NAME_LENGTH
        ),
        "unreadable": gettext_lazy("Please use letters and figures that the others can read."),
    }

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(max_length=NAME_LENGTH, **kwargs)

    def to_python(self, value: Any) -> str:
        return clean_text(str(value or ""))

    def validate(self, value: str) -> None:
        super().validate(value)
        if not any(character.isalnum() for character in value):
            raise forms.ValidationError(self.error_messages["unreadable"], code="unreadable")


class LoginForm(AllauthLoginForm):  # type: ignore[misc]
    def login(self, request: HttpRequest, redirect_url: str | None = None) -> HttpResponse:
        response: HttpResponse = super().login(request, redirect_url)
        # After a password allauth sets everybody's age of a session, whatever the adapter did.
        if request.user.is_authenticated:
            limit_session(request)
        return response


class SignupForm(AllauthSignupForm):  # type: ignore[misc]
    """E-mail address, password, and the name shown at tables."""

    display_name = NameField(
        label=gettext_lazy("Name shown at tables"),
        help_text=gettext_lazy(
            "Everybody can see it. An event with a student list uses the name on the list."
        ),
        widget=forms.TextInput(attrs={"autocomplete": "nickname"}),
    )
    field_order = ["display_name", "email", "password1"]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password1"].help_text = _(
            "At least 12 characters. Not a common password, and not like your address."
        )

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        if self.account_already_exists:
            # A new account takes the time of a hash: without it the clock tells who has one.
            make_password(self.cleaned_data["password1"])
        user, response = super().try_save(request)
        return user, response

    def custom_signup(self, request: HttpRequest, user: User) -> None:
        user.display_name = self.cleaned_data["display_name"]
        user.save(update_fields=["display_name"])


class NewPasswordForm(ResetPasswordKeyForm):  # type: ignore[misc]
    """A forgotten password's successor; whoever has come so far reads the account's mail."""

    def clean(self) -> dict[str, object]:
        cleaned: dict[str, object] = super().clean()
        if by_mail_alone(self.user):
            raise forms.ValidationError(
                _(
                    "This account may enter the desk, and a mail alone does not open that. Ask a "
                    "superuser of this site for a new password."
                ),
                code="staff",
            )
        return cleaned


class DeskCodeForm(forms.Form):
    """The code that an organizer shows at the desk."""

    code = forms.CharField(
        max_length=20,
        label=gettext_lazy("Code from the desk"),
        error_messages={"required": gettext_lazy("Please type the code that the desk shows.")},
        widget=forms.TextInput(
            attrs={"autocomplete": "one-time-code", "autocapitalize": "characters"}
        ),
    )


class ProfileForm(forms.Form):
    display_name = SignupForm.base_fields["display_name"]


def _agreed(event: Event) -> str:
    text = linebreaksbr(event.consent, autoescape=True)
    return format_html("{}<br>{}", _("I agree to this:"), text)


class ConsentField(forms.ChoiceField):
    """One tick at the event's text; its value says which wording was read."""

    def __init__(self, event: Event) -> None:
        text = gettext_lazy("Please read what you agree to, and tick that you do.")
        super().__init__(
            widget=forms.RadioSelect,
            label=gettext_lazy("What you agree to"),
            choices=[(digest_of(event), _agreed(event))],
            error_messages={"required": text, "invalid_choice": text},
        )


class RegistrationForm(forms.Form):
    """What an event asks: the roll number where it has a list, else a name."""

    # Which field a refusal is about; the others concern the whole form.
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
        help_text=gettext_lazy("As it stands on your student card."),
        error_messages={"required": gettext_lazy("Please give your roll number.")},
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "characters"}),
    )
    name = NameField(
        label=gettext_lazy("Name shown at tables"),
        help_text=gettext_lazy("Everybody can see it, here and in the results."),
    )

    def __init__(self, event: Event, user: User, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("initial", {"name": user.display_name})
        super().__init__(*args, **kwargs)
        del self.fields["name" if event.eligibility_required else "roll_number"]
        if event.consent:
            self.fields["consent"] = ConsentField(event)

    def refuse(self, refused: Refused) -> None:
        field = self.FIELDS.get(refused.code)
        self.add_error(field if field in self.fields else None, refused.message)
