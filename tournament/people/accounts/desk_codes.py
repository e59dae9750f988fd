"""Sign-in codes that the desk shows to people in person.

A code can be used once, within five minutes.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import get_random_string, salted_hmac
from django.utils.translation import gettext as _

from games.facts import is_connected
from tournament.common.refusals import RefusedError
from tournament.mail.notices import MailKind, notify
from tournament.models import DeskSignIn, Event, LogAction, Registration, User
from tournament.oversight.audit import record
from tournament.pure.codes import Code

LIFE = timedelta(minutes=5)
# Thirty letters and digits that are hard to confuse. Eight of them have 39 bits of entropy.
LETTERS = "ABCDEFGHJKMNPQRSTVWXYZ23456789"
HALF = 4
GONE = Registration.GONE


@dataclass(frozen=True)
class ShownCode:
    """A sign-in code as shown at the desk, and its expiry time."""

    code: str
    expires_at: datetime


@transaction.atomic
def create_desk_code(registration: Registration, organizer: User) -> ShownCode:
    """Create a sign-in code for the person of this registration. Earlier codes become invalid.

    Raises RefusedError with the code `not-now`, `not-registered`, `inactive`, `staff` or
    `connected`.
    """
    check_may_sign_in(registration)
    registration.desk_sign_ins.filter(used_at=None).delete()
    letters = get_random_string(2 * HALF, LETTERS)
    sign_in = DeskSignIn.objects.create(
        registration=registration,
        organizer=organizer,
        code_hash=_hash_code(letters),
        expires_at=timezone.now() + LIFE,
    )
    record(
        registration.event,
        organizer,
        LogAction.DESK_SIGN_IN,
        lambda: _("Showed {name} a code for signing in at the desk.").format(
            name=registration.name
        ),
        registration=registration.pk,
    )
    return ShownCode(f"{letters[:HALF]}-{letters[HALF:]}", sign_in.expires_at)


@transaction.atomic
def use_desk_code(typed: str) -> Registration:
    """Mark a typed code as used, and return the registration to sign in.

    Raises RefusedError like `create_desk_code`, or with the code `no-code`.
    """
    now = timezone.now()
    codes = DeskSignIn.objects.select_for_update(of=("self",)).select_related(
        "registration__event", "registration__user", "organizer"
    )
    sign_in = codes.filter(code_hash=_hash_code(typed), used_at=None, expires_at__gt=now).first()
    if sign_in is None:
        raise RefusedError(
            Code.NO_CODE,
            _("This code is wrong or has expired. Ask for a new one at the desk."),
        )
    registration = sign_in.registration
    check_may_sign_in(registration)
    sign_in.used_at = now
    sign_in.save(update_fields=["used_at"])
    record(
        registration.event,
        sign_in.organizer,
        LogAction.DESK_SIGNED_IN,
        lambda: _("{name} signed in with a code from the desk.").format(name=registration.name),
        registration=registration.pk,
    )
    notify(registration, MailKind.DESK_SIGN_IN, organizer=sign_in.organizer, at=now)
    return registration


def check_may_sign_in(registration: Registration) -> None:
    user = registration.user
    if registration.event.state not in (Event.State.OPEN, Event.State.RUNNING):
        raise RefusedError(
            Code.NOT_NOW, _("The desk can sign people in only while the event is running.")
        )
    if registration.state in GONE:
        raise RefusedError(Code.NOT_REGISTERED, _("This person is not registered for the event."))
    if not user.is_active:
        raise RefusedError(Code.INACTIVE, _("This account has been closed."))
    if user.is_staff or user.is_superuser:
        raise RefusedError(
            Code.STAFF,
            _("If an account has access to the desk, no one else can sign its owner in."),
        )
    if is_connected(user.pk, timezone.now()):
        raise RefusedError(
            Code.CONNECTED,
            _(
                "This person’s device is connected to a table right now, so you can’t sign "
                "them in on a second one."
            ),
        )


def _hash_code(typed: str) -> str:
    letters = "".join(letter for letter in typed.upper() if letter.isalnum())
    return salted_hmac("tournament.desk", letters, algorithm="sha256").hexdigest()
