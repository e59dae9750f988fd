"""People: one account per person, named by e-mail address."""

from typing import ClassVar

from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from games.models.personal import Personal, Purpose, Seen, Topic, Until


class People(UserManager["User"]):
    """Commands and forms both ask it how an address is kept; allauth looks for small letters."""

    use_in_migrations = False

    @classmethod
    def normalize_email(cls, email: str | None) -> str:
        return (email or "").strip().lower()


# Where nothing arrives, by RFC 2606: the address of somebody who has none.
NO_MAILBOX = "@no-mailbox.invalid"


class User(AbstractUser):
    """An account; a person becomes a player by a registration in an event."""

    personal = Personal(
        alias="display_name",
        who="email",
        about="username first_name last_name look",
        goes="with the person, unless another event or the staff needs the account",
        whose="email",
        free={"a hash": "password"},
        purposes=(
            Purpose(
                "display_name",
                Topic.ACCOUNT,
                _("Your name at tables"),
                _("So that others know with whom they play."),
                Seen.EVERYBODY,
                Until.ACCOUNT,
            ),
            Purpose(
                "look",
                Topic.ACCOUNT,
                _("The colour and the face that you have chosen, if you have"),
                _("So that others know you at a glance."),
                Seen.EVERYBODY,
                Until.ACCOUNT,
            ),
            Purpose(
                "email",
                Topic.ACCOUNT,
                _("Your e-mail address"),
                _(
                    "To sign you in, to write to you about your events, and to find you on the "
                    "organizers’ list."
                ),
                Seen.STAFF,
                Until.ACCOUNT,
            ),
            Purpose(
                "username first_name last_name",
                Topic.ACCOUNT,
                _(
                    "A user name that the site makes; first and last name where whoever runs the "
                    "site has entered them"
                ),
                _("To tell accounts apart at the desk."),
                Seen.OPERATORS,
                Until.ACCOUNT,
            ),
            Purpose(
                "password",
                Topic.ACCOUNT,
                _("Your password, if you have one"),
                _("To sign you in."),
                Seen.NOBODY,
                Until.ACCOUNT,
            ),
            Purpose(
                "date_joined last_login is_active is_staff is_superuser sign_outs",
                Topic.ACCOUNT,
                _(
                    "When the account was made and last used, what it may do, how often you signed"
                    " out everywhere"
                ),
                _("To keep others out of it, and to delete it once nobody uses it."),
                Seen.YOU,
                Until.ACCOUNT,
            ),
        ),
    )

    email = models.EmailField(_("e-mail address"), unique=True)
    display_name = models.CharField(_("name shown at tables"), max_length=40, blank=True)
    # How the person wishes to look: games.protocol.faces.
    look = models.CharField(
        _("colour and face"), max_length=24, blank=True, default="", db_default=""
    )
    # How often the person has signed out everywhere: devices known before are strangers again.
    sign_outs = models.PositiveIntegerField(default=0, editable=False)

    objects: ClassVar[People] = People()

    class Meta(AbstractUser.Meta):
        constraints = [
            models.UniqueConstraint(
                Lower("email"),
                name="one_account_per_address",
                violation_error_message=_("There is an account with this address."),
            )
        ]

    @property
    def mailbox(self) -> str:
        """The address that mails are sent to, "" for somebody who has none."""
        return "" if self.email.endswith(NO_MAILBOX) else self.email

    def __str__(self) -> str:
        return self.display_name or self.get_full_name() or self.username
