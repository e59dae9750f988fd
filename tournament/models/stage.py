"""Stages of an event: rounds for everyone, or a bracket."""

from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.json_values.field import ValueField
from games.models.personal import ColumnAudience, Personal, Purpose, Retention, Topic
from tournament.models.event import Event, new_lots_key, one_line
from tournament.pure.qualifying.thresholds import USUAL
from tournament.pure.sentences import Sentence


class Stage(models.Model):
    """A part of an event with one format. The last round of the last stage is the final."""

    personal = Personal(
        scrubbed="title",
        free={"codes, keys and numbers": "thresholds lots_key playoff"},
        purposes=(
            Purpose(
                "title",
                Topic.WRITTEN,
                _("Titles of stages"),
                _("To tell stages apart."),
                ColumnAudience.EVERYBODY,
                Retention.EVENT,
            ),
        ),
    )

    class Format(models.TextChoices):
        ROUNDS = "rounds", _("rounds that everyone plays")
        BRACKET = "bracket", _("knockout: the top players of each table advance")

    class State(models.TextChoices):
        WAITING = "waiting", _("not started")
        OPEN = "open", _("in progress")
        CLOSED = "closed", _("closed")

    class Rule(models.TextChoices):
        NUMBER = "number", _("the top N players")
        SHARE = "share", _("a percentage of those who took part")
        TOP_K = "top_k", _("the top N of each table")
        THRESHOLDS = "thresholds", _("by turnout, using the thresholds")

    class Ties(models.TextChoices):
        TOGETHER = "together", _("all advance")
        HAND = "hand", _("play one more hand to decide")
        LOTS = "lots", _("are separated by drawing lots (recorded)")

    class Name(models.TextChoices):
        """Names of the stages of ready-made formats, translated for each reader."""

        FIRST = "first", _("First round (everyone plays)")
        SECOND = "second", _("Second round (knockout)")
        ROUNDS = "rounds", _("Rounds")
        LATER = "later", _("Further rounds")
        KNOCKOUT = "knockout", _("Knockout")
        FINALS = "finals", _("Finals")

    event = models.ForeignKey(Event, models.CASCADE, related_name="stages")
    number = models.PositiveSmallIntegerField()
    # Entered by the organizers. If it is empty, the stage is called by its name.
    title = models.CharField(_("title"), max_length=60, blank=True, validators=[one_line])
    name = models.CharField(max_length=8, choices=Name.choices, blank=True)
    format = models.CharField(max_length=10, choices=Format.choices, default=Format.ROUNDS)
    rounds_planned = models.PositiveSmallIntegerField(
        _("rounds"), default=1, validators=[MinValueValidator(1), MaxValueValidator(20)]
    )
    by_points = models.BooleanField(
        _("from the second round on, seat players with similar points together"), default=False
    )
    rotation = models.BooleanField(
        _("each player partners every other player once, which sets the number of rounds"),
        default=False,
    )
    qualify_rule = models.CharField(
        _("who advances"), max_length=12, choices=Rule.choices, default=Rule.THRESHOLDS
    )
    qualify_value = models.PositiveSmallIntegerField(_("number or percentage"), default=8)
    thresholds = models.CharField(
        _("thresholds"),
        max_length=120,
        default=USUAL,
        help_text=_(
            "For turnout: “17: 8, 33: 16” means that 8 players advance if at least 17 took "
            "part, and 16 if at least 33 did. A percentage can replace the second number."
        ),
    )
    cut_ties = models.CharField(
        _("players tied at the cut"), max_length=10, choices=Ties.choices, default=Ties.TOGETHER
    )
    min_matches = models.PositiveSmallIntegerField(
        _("finished matches needed to count as taking part"), default=1
    )
    lots_key = models.CharField(max_length=32, default=new_lots_key, editable=False)
    playoff: "models.Field[list[list[int]], list[list[int]]]" = models.JSONField(
        default=list, editable=False
    )
    advance = models.PositiveSmallIntegerField(
        _("players who advance from each knockout table"),
        default=2,
        validators=[MinValueValidator(1)],
    )
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)

    class Meta:
        ordering = ["event", "number"]
        verbose_name = _("stage")
        verbose_name_plural = _("stages")
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="one_stage_per_number")
        ]

    def __str__(self) -> str:
        return self.label

    @property
    def label(self) -> str:
        """The stage's title, or its name in the reader's language if it has no title."""
        return self.title or str(self.get_name_display())


class Qualifier(models.Model):
    """A player who has advanced to a later stage.

    * `seed`: the seed, from 1 for the best player.
    * `active`: whether the player is still in the stage. The row is kept after a withdrawal.
    * `why`: the reason for advancing. Older rows have it as plain text in `note` instead.
    """

    personal = Personal(
        scrubbed="why note",
        purposes=(
            Purpose(
                "seed active why note",
                Topic.GAMES,
                _("Your seed in a later stage, and why you advanced"),
                _("To draw tables for the stage, and to explain who is in it."),
                ColumnAudience.EVERYBODY,
                Retention.EVENT,
            ),
        ),
        whose="registration__user",
    )

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="qualifiers")
    registration = models.ForeignKey("Registration", models.PROTECT, related_name="qualified")
    seed = models.PositiveSmallIntegerField()
    active = models.BooleanField(default=True)
    why: "models.Field[Sentence, Sentence]" = ValueField(Sentence)
    note = models.CharField(max_length=200, blank=True)

    class Meta:
        ordering = ["stage", "seed"]
        constraints = [
            models.UniqueConstraint(fields=["stage", "registration"], name="qualified_once")
        ]

    def __str__(self) -> str:
        return f"{self.seed}. {self.registration}"

    @property
    def reason(self) -> Sentence:
        """The reason why the player advanced to this stage."""
        return self.why or Sentence.from_json(self.note)
