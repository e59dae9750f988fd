"""Forms of the account pages. Most are allauth's forms with the site's wording."""

from collections.abc import Mapping
from typing import Any

from allauth.account import forms as allauth
from allauth.core import context
from django import forms
from django.contrib.auth.hashers import make_password
from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import reverse
from django.utils.functional import Promise
from django.utils.html import format_html
from django.utils.http import urlencode
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.protocol.faces import COLORS, SIGNS, Face, face_of, split_look
from games.templatetags.cards import drawn_face
from tournament.models import PublicProfile, User
from tournament.people.accounts.adapter import set_session_expiry
from tournament.people.accounts.allauth_private import get_awaited_code
from tournament.people.accounts.assurance import is_email_enough_for_admin
from tournament.people.looks import COLOR_NAMES, SIGN_NAMES
from tournament.web.forms.registration import DisplayNameField

# Session key for the address to which an invitation was sent.
INVITED_KEY = "invited-address"


def find_invited_address() -> str:
    """Return the address to which the visitor was invited, or "" if there is none.

    Users who are signed in have none.
    """
    request = context.request
    if request is None or request.user.is_authenticated:
        return ""
    return str(request.session.get(INVITED_KEY, ""))


class SiteWordingMixin:
    """Mixin that sets the site's wording and removes the second field for a new password.

    Users who mistype a new password can sign in with a code by email.
    """

    fields: dict[str, forms.Field]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields.pop("password2", None)
        for name in {"email", "login"} & self.fields.keys():
            field = self.fields[name]
            field.label = _("Email address")
            field.error_messages["invalid"] = _("Enter a valid email address.")
            field.initial = find_invited_address() or field.initial
            field.widget.attrs.pop("placeholder", None)
            if {"password", "password1"} & self.fields.keys():
                # Password managers store the new password under the user name that is entered
                # here.
                field.widget.attrs["autocomplete"] = "username"
        if "password1" in self.fields:
            self.fields["password1"].label = _("Password")
            self.fields["password1"].help_text = _(
                "At least 12 characters, not a common password, and not similar to your email "
                "address."
            )


class LoginForm(SiteWordingMixin, allauth.LoginForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Keep the target page for users who have to reset their password first.
        next_page = self.request.GET.get("next") or self.request.POST.get("next")
        query = "?" + urlencode({"next": next_page}) if next_page else ""
        self.fields["password"].help_text = format_html(
            '<a href="{}{}">{}</a>',
            reverse("account_reset_password"),
            query,
            _("Forgot your password?"),
        )

    def login(self, request: HttpRequest, redirect_url: str | None = None) -> HttpResponse:
        response: HttpResponse = super().login(request, redirect_url)
        # After sign-in with a password, allauth sets the same lifetime for every session,
        # regardless of the adapter.
        if request.user.is_authenticated:
            set_session_expiry(request)
        return response


class SignupForm(SiteWordingMixin, allauth.SignupForm):  # type: ignore[misc]
    """Sign-up form with an email address, a password, and the name shown at tables."""

    display_name = DisplayNameField()
    field_order = ["display_name", "email", "password1"]

    def try_save(self, request: HttpRequest) -> tuple[User | None, HttpResponse | None]:
        if not self.account_already_exists:
            user, response = super().try_save(request)
            return user, response
        # Creating an account hashes the password. Without the same work here, the response time
        # would reveal which addresses have an account.
        password = make_password(self.cleaned_data["password1"])
        user, response = super().try_save(request)
        # Stored in case the visitor then corrects the address and can have an account after all.
        name = self.cleaned_data["display_name"]
        pending_code = get_awaited_code(request)
        pending_code["wanted"] = {"display_name": name, "password": password}
        request.session.modified = True
        return user, response

    def custom_signup(self, request: HttpRequest, user: User) -> None:
        user.display_name = self.cleaned_data["display_name"]
        user.save(update_fields=["display_name"])


class LoginCodeForm(SiteWordingMixin, allauth.RequestLoginCodeForm):  # type: ignore[misc]
    """Form for the address to which a sign-in code is sent."""


class ResetCodeForm(SiteWordingMixin, allauth.ResetPasswordForm):  # type: ignore[misc]
    """Form for the address to which a password-reset code is sent."""


class AddressCorrectionForm(SiteWordingMixin, allauth.ChangeEmailForm):  # type: ignore[misc]
    """Form to correct the email address right after signing up."""


class NewAddressForm(SiteWordingMixin, allauth.AddEmailForm):  # type: ignore[misc]
    """Form for a new address of an account."""


class FirstPasswordForm(SiteWordingMixin, allauth.SetPasswordForm):  # type: ignore[misc]
    """Form for a first password, for users who have signed in only with codes."""


class PasswordChangeForm(SiteWordingMixin, allauth.ChangePasswordForm):  # type: ignore[misc]
    """Form for a new password, for users who know the current one."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["oldpassword"].label = _("Current password")
        self.fields["password1"].label = _("New password")


class NewPasswordForm(SiteWordingMixin, allauth.ResetPasswordKeyForm):  # type: ignore[misc]
    """Form for a new password after a password reset.

    Users who reach it have proved that they can read the account's email.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password1"].label = _("New password")

    def clean(self) -> dict[str, object]:
        cleaned: dict[str, object] = super().clean()
        if is_email_enough_for_admin(self.user):
            raise forms.ValidationError(
                _(
                    "This account has access to the desk, so an email alone can’t reset its "
                    "password. Ask a superuser of this site for a new one."
                ),
                code="staff",
            )
        return cleaned


class LookField(forms.ChoiceField):
    """Field for a part of the avatar. Each choice is drawn next to its name.

    The first choice is the site's default.
    """

    def __init__(
        self, faces: Mapping[str, Face], names: Mapping[str, str | Promise], **kwargs: Any
    ) -> None:
        choices = [
            (value, format_html("{}<span>{}</span>", drawn_face(face), names[value]))
            for value, face in faces.items()
        ]
        super().__init__(choices=choices, required=False, widget=forms.RadioSelect, **kwargs)


class LookForm(forms.Form):
    """Form for the avatar's colour and icon.

    Each choice is drawn together with the stored choice of the other field.
    """

    def __init__(self, user: User, data: QueryDict | None = None) -> None:
        color, sign = split_look(user.look)
        super().__init__(data, initial={"color": color, "sign": sign})

        def make_face(color: str, sign: str) -> Face:
            return face_of(str(user), user.pk, f"{color} {sign}")

        help_text = _(
            "No two players at a table share a colour. The first to sit down keeps their "
            "colour; anyone else who chose it gets the next one."
        )
        self.fields["color"] = LookField(
            {option: make_face(option, sign) for option in ("", *COLORS)},
            {"": _("Auto"), **COLOR_NAMES},
            label=_("Colour"),
            help_text=help_text,
        )
        self.fields["sign"] = LookField(
            {option: make_face(color, option) for option in ("", *SIGNS)},
            {"": _("Initial"), **SIGN_NAMES},
            label=_("Icon"),
        )


class PublicPageForm(forms.Form):
    """Form for a player's public page, which is off by default."""

    shown = forms.BooleanField(required=False, label=gettext_lazy("Show my public page"))
    listed = forms.BooleanField(
        required=False,
        label=gettext_lazy("Let search engines find it"),
        help_text=gettext_lazy("Otherwise only people with the link, or a link to it, find it."),
    )

    def __init__(self, profile: PublicProfile | None, data: QueryDict | None = None) -> None:
        listed = profile is not None and profile.listed
        super().__init__(data, initial={"shown": profile is not None, "listed": listed})
