"""Roles of people in an event. pure/rights_table.py defines the rights of these roles."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models.personal import ColumnAudience, Personal, Purpose, Retention, Topic
from tournament.models.event import Event


class Role(models.TextChoices):
    """The roles of an event's staff."""

    OWNER = "owner", _("owner")
    DESK = "desk", _("desk")
    SCORER = "scorer", _("scorer")
    REFEREE = "referee", _("referee")
    COMMENTATOR = "commentator", _("commentator")
    VIEWER = "viewer", _("viewer")


class EventRole(models.Model):
    """A role of a person in an event. Commentators see only hands dealt after `since`."""

    personal = Personal(
        purposes=(
            Purpose(
                "role since",
                Topic.ACCOUNT,
                _("The events you help run, and your role in each"),
                _("To give you exactly the permissions of your role."),
                ColumnAudience.ORGANIZERS,
                Retention.EVENT,
            ),
        ),
        whose="user",
    )

    event = models.ForeignKey(Event, models.CASCADE, related_name="roles")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="roles")
    role = models.CharField(max_length=12, choices=Role.choices)
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["event", "user", "role"], name="one_role_once")
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.get_role_display()}"
