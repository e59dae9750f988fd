"""People: one account per person, named by e-mail address."""

from typing import Any, ClassVar

from django.contrib.auth.models import AbstractUser, UserManager
from django.db import models
from django.db.models.functions import Lower
from django.utils.translation import gettext_lazy as _

from games.stored.asked import Asked
from games.stored.rows import QuickRow


class People(UserManager["User"]):
    """Commands and forms both ask it how an address is kept; allauth looks for small letters."""

    use_in_migrations = False

    def get(self, *given: Any, **wanted: Any) -> "User":
        """As ever; by its key, as every request asks for whoever is signed in, sooner."""
        everybody = type(self) is People  # and not those of some other row alone
        if given or not everybody or wanted.keys() != {"pk"} or type(wanted["pk"]) is not int:
            return super().get(*given, **wanted)
        if (found := _BY_KEY.first(wanted["pk"])) is None:
            raise User.DoesNotExist
        return found

    @classmethod
    def normalize_email(cls, email: str | None) -> str:
        return (email or "").strip().lower()


# Where nothing arrives, by RFC 2606: the address of somebody who has none.
NO_MAILBOX = "@no-mailbox.invalid"


class User(QuickRow, AbstractUser):
    """An account; a person becomes a player by a registration in an event."""

    email = models.EmailField(_("e-mail address"), unique=True)
    display_name = models.CharField(_("name shown at tables"), max_length=40, blank=True)
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


_BY_KEY = Asked(lambda key: User.objects.filter(pk=key).order_by())
