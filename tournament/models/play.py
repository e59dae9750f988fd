"""Rounds, tables, seats, and results entered by hand."""

from typing import NamedTuple

from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.json_values.field import ValueField
from games.models.personal import ColumnAudience, Personal, Purpose, Retention, Topic
from tournament.models.registration import Registration
from tournament.models.stage import Stage
from tournament.pure.arrangement.stored_seating import RoundSeating
from tournament.pure.ranking import Bot, Holder


class Round(models.Model):
    """A round: all tables that play at the same time.

    * `ordinal`: the round's number within the whole event, from 1. It makes the title unique.
    * `seating`: how the seats were assigned.
    * `mailed_page`: the URL of "My table" for the emails about this round's seats, or "" if no
      emails are sent.
    """

    personal = Personal(
        scrubbed="name seating close_reason",
        reasons="close_reason",
        free={"a page of the site": "mailed_page"},
        purposes=(
            Purpose(
                "name seating close_reason",
                Topic.WRITTEN,
                _(
                    "How a round’s seats were assigned and how the round was closed, with seating "
                    "requests and reasons"
                ),
                _("To explain why everyone sits where they do."),
                ColumnAudience.ORGANIZERS,
                Retention.EVENT,
            ),
        ),
    )

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        PUBLISHED = "published", _("published")
        RUNNING = "running", _("in progress")
        CLOSED = "closed", _("closed")

    class Name(models.TextChoices):
        """Names of the last rounds before the final of a bracket."""

        QUARTER = "quarter", _("Quarter-final")
        SEMI = "semi", _("Semi-final")

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="rounds")
    number = models.PositiveSmallIntegerField()
    ordinal = models.PositiveSmallIntegerField(default=1)
    name = models.CharField(max_length=8, choices=Name.choices, blank=True)
    is_final = models.BooleanField(default=False)
    state = models.CharField(max_length=10, choices=State.choices, default=State.DRAFT)
    seating: "models.Field[RoundSeating, RoundSeating]" = ValueField(RoundSeating)
    started_at = models.DateTimeField(null=True, blank=True)
    ends_at = models.DateTimeField(null=True, blank=True)
    closed_at = models.DateTimeField(null=True, blank=True)
    close_reason = models.CharField(max_length=300, blank=True)
    mailed_page = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["stage", "number"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "number"], name="one_round_per_number")
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def title(self) -> str:
        """The title, such as "Round 2", "Semi-final" or "Final", in the reader's language.

        Titles are unique within the event.
        """
        if self.is_final:
            return gettext("Final")
        text = gettext("Round {number}").format(number=self.ordinal)
        return str(self.get_name_display()) if self.name else text


class Table(models.Model):
    """The seats that play one match together.

    * `paper`: whether the table plays with physical cards.
    * `carried`: the points by seat of each hand that was finished before the table last switched
      between the site and physical cards. They count in the result: a match continues from them,
      and a score sheet begins with them.
    """

    personal = Personal(free={"points": "carried"})

    round = models.ForeignKey(Round, models.CASCADE, related_name="tables")
    number = models.PositiveSmallIntegerField()
    match = models.OneToOneField(
        "games.Match", models.PROTECT, related_name="event_table", null=True, blank=True
    )
    paper = models.BooleanField(_("physical cards"), default=False)
    carried: "models.Field[list[list[int]], list[list[int]]]" = models.JSONField(
        default=list, blank=True
    )
    extra_seconds = models.PositiveSmallIntegerField(
        _("extra seconds per turn"), default=0, validators=[MaxValueValidator(600)]
    )
    extra_minutes = models.PositiveSmallIntegerField(_("extra minutes for the round"), default=0)

    class Meta:
        ordering = ["round", "number"]
        constraints = [
            models.UniqueConstraint(fields=["round", "number"], name="one_table_per_number")
        ]

    def __str__(self) -> str:
        return gettext("{round}, table {number}").format(round=self.round, number=self.number)

    @property
    def start(self) -> list[int]:
        """The points by seat at the last switch between site and cards, or [] without one."""
        return [sum(points) for points in zip(*self.carried, strict=True)]


class TableSeat(models.Model):
    """A numbered seat at a table, from 0.

    * `registration`: the player to whom the result belongs, or None for a bot.
    * `substitute`: the person who plays for that player, or None.
    * `forfeited`: whether the seat has forfeited the match.
    * `bot`: the strength of the bot, or "" for a player.
    """

    personal = Personal(
        free={"a code": "bot"},
        purposes=(
            Purpose(
                "number forfeited",
                Topic.GAMES,
                _("Your seats in an event’s rounds, and any matches you forfeited"),
                _("So that we know who plays where and how each result counts."),
                ColumnAudience.EVERYBODY,
                Retention.EVENT,
            ),
        ),
        whose="registration__user",
    )

    table = models.ForeignKey(Table, models.CASCADE, related_name="seats")
    number = models.PositiveSmallIntegerField()
    registration = models.ForeignKey(
        Registration, models.PROTECT, related_name="seats", null=True, blank=True
    )
    substitute = models.ForeignKey(
        Registration, models.PROTECT, related_name="stands_in", null=True, blank=True
    )
    forfeited = models.BooleanField(default=False)
    bot = models.CharField(max_length=12, blank=True)

    class Meta:
        ordering = ["table", "number"]
        constraints = [
            models.UniqueConstraint(fields=["table", "number"], name="one_seat_per_number"),
            models.UniqueConstraint(fields=["table", "registration"], name="seated_once_at_table"),
            models.CheckConstraint(
                name="player_or_bot",
                condition=models.Q(registration__isnull=False) ^ ~models.Q(bot=""),
            ),
        ]

    def __str__(self) -> str:
        return describe_sitter(self)

    @property
    def sitter(self) -> Registration | None:
        """The person in the seat: the substitute if there is one, otherwise the player."""
        return self.substitute or self.registration


class Sitting(NamedTuple):
    """A seat at a table, loaded with fewer columns than `TableSeat`.

    `out` is true if the player to whom the result belongs is disqualified.
    """

    pk: int
    number: int
    registration_id: int | None
    registration: Registration | None
    substitute: Registration | None
    forfeited: bool
    out: bool

    @property
    def player(self) -> Holder:
        """The player or bot to whom the seat's points belong."""
        return self.registration_id or Bot(self.pk)

    def __str__(self) -> str:
        return describe_sitter(self)

    @property
    def sitter(self) -> Registration | None:
        """The person in the seat: the substitute if there is one, otherwise the player."""
        return self.substitute or self.registration


def describe_sitter(seat: TableSeat | Sitting) -> str:
    """Return the name of the person or bot in the seat, such as `Ben for Asha`."""
    if seat.registration is None:
        return gettext("Bot {number}").format(number=seat.number + 1)
    if seat.substitute is None:
        return seat.registration.name
    text = gettext("{substitute} for {name}")
    return text.format(substitute=seat.substitute.name, name=seat.registration.name)


class Result(models.Model):
    """The points of a table, entered by hand. The latest confirmed entry counts.

    A correction is a new row, so no confirmed entry is ever lost.

    * `points`: the points by seat.
    * `overridden`: whether the points are impossible under the rules. The reason explains why they
      count anyway.
    """

    personal = Personal(
        scrubbed="reason",
        reasons="reason",
        free={"points": "points"},
        purposes=(
            Purpose(
                "reason",
                Topic.WRITTEN,
                _("Why points were entered or changed by hand"),
                _("So that no result changes without a reason."),
                ColumnAudience.ORGANIZERS,
                Retention.EVENT,
            ),
        ),
    )

    class State(models.TextChoices):
        ENTERED = "entered", _("waiting for a second organizer")
        CONFIRMED = "confirmed", _("counted")
        UNDONE = "undone", _("undone")

    table = models.ForeignKey(Table, models.CASCADE, related_name="results")
    points: "models.Field[list[int], list[int]]" = models.JSONField()
    reason = models.CharField(max_length=300, blank=True)
    overridden = models.BooleanField(default=False)
    state = models.CharField(max_length=10, choices=State.choices)
    entered_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    entered_at = models.DateTimeField(auto_now_add=True)
    confirmed_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", null=True, blank=True
    )

    class Meta:
        ordering = ["table", "-pk"]

    def __str__(self) -> str:
        return f"{self.table}: {', '.join(map(str, self.points))}"
