"""Communication between the desk and the tables while a round is played."""

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from games.json_values.field import ValueField
from games.models.personal import ColumnAudience, Personal, Purpose, Retention, Topic
from tournament.models.event import Event
from tournament.models.play import Round, Table, TableSeat
from tournament.pure.sentences import Sentence


class RefereeCall(models.Model):
    """A player's call for a referee.

    * `taken_by`: the referee who answers the call.
    * `ended_at`: when the call was settled or withdrawn, or None.
    """

    class Reason(models.TextChoices):
        NONE = "", _("no reason given")
        RULES = "rules", _("a question about the rules")
        DISPUTE = "dispute", _("players disagree")
        TECHNICAL = "technical", _("something isn’t working")
        OTHER = "other", _("something else")

    table = models.ForeignKey(Table, models.CASCADE, related_name="calls")
    seat = models.ForeignKey(TableSeat, models.CASCADE, related_name="calls")
    reason = models.CharField(max_length=12, choices=Reason.choices, blank=True)
    called_at = models.DateTimeField()
    taken_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", null=True, blank=True
    )
    taken_at = models.DateTimeField(null=True, blank=True)
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["called_at", "pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["seat"], condition=Q(ended_at__isnull=True), name="one_open_call_of_a_seat"
            )
        ]

    def __str__(self) -> str:
        return f"{self.table}: {self.seat}"


class DeskMessage(models.Model):
    """An announcement from the desk to an audience, shown until it expires or is withdrawn.

    * `table`: the table, if the audience is a single table.
    * `text`: the text that the organizer wrote.
    * `said`: the text that the site wrote instead, which is translated for each reader.
    """

    personal = Personal(
        scrubbed="text said",
        reasons="text",
        purposes=(
            Purpose(
                "text said",
                Topic.WRITTEN,
                _("Announcements by organizers"),
                _("To tell players and viewers what is happening."),
                ColumnAudience.EVERYBODY,
                Retention.EVENT,
            ),
        ),
    )

    # The stored lifetime of an announcement that is shown until it is withdrawn.
    OPEN_ENDED = timedelta(days=3650)

    class Audience(models.TextChoices):
        ALL = "all", _("everyone")
        PLAYERS = "players", _("players")
        VIEWERS = "viewers", _("viewers")
        STAFF = "staff", _("the desk")
        TABLE = "table", _("one table")

    event = models.ForeignKey(Event, models.CASCADE, related_name="desk_messages")
    audience = models.CharField(max_length=8, choices=Audience.choices)
    table = models.ForeignKey(
        Table, models.CASCADE, related_name="desk_messages", null=True, blank=True
    )
    text = models.CharField(max_length=300, blank=True)
    said: "models.Field[Sentence, Sentence]" = ValueField(Sentence)
    sent_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    sent_at = models.DateTimeField()
    expires_at = models.DateTimeField()
    taken_back_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-sent_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                name="message_names_its_table",
                condition=Q(audience="table", table__isnull=False)
                | (~Q(audience="table") & Q(table__isnull=True)),
            )
        ]

    def __str__(self) -> str:
        return str(self.said or self.text)

    @property
    def open_ended(self) -> bool:
        """Whether the announcement is shown until it is withdrawn."""
        return self.expires_at - self.sent_at >= self.OPEN_ENDED


class Interruption(models.Model):
    """A period during which the desk stopped a table or a whole round.

    * `table`: the stopped table, or None for all tables of the round.
    * `reason`: the desk's explanation, or "" for a pause.
    * `ended_at`: the end of the period, or None while it continues.
    """

    personal = Personal(
        scrubbed="reason",
        reasons="reason",
        purposes=(
            Purpose(
                "reason",
                Topic.WRITTEN,
                _("Why play was paused"),
                _("So that everyone knows why they are waiting."),
                ColumnAudience.EVERYBODY,
                Retention.EVENT,
            ),
        ),
    )

    round = models.ForeignKey(Round, models.CASCADE, related_name="interruptions")
    table = models.ForeignKey(
        Table, models.CASCADE, related_name="interruptions", null=True, blank=True
    )
    reason = models.CharField(max_length=300, blank=True)
    began_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    began_at = models.DateTimeField()
    ended_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["began_at", "pk"]

    def __str__(self) -> str:
        return f"{self.table or self.round}: {self.reason}"
