"""Events and their settings."""

import logging
import secrets
import unicodedata
from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.json_values.field import ValueField
from games.models import Match
from games.models.personal import ColumnAudience, Personal, Purpose, Retention, Topic
from games.process import process_cache
from games.rules.ruleset.options import Value
from tournament.models import outcomes
from tournament.models.people import User
from tournament.pure.ranking.freeze import Freeze
from tournament.pure.rights_table import COMMENTATOR, OWNER
from tournament.pure.zones import find_zone, zone_names

logger = logging.getLogger(__name__)


def new_lots_key() -> str:
    """Return a new random key for drawing lots."""
    return secrets.token_hex(16)


def new_identity() -> str:
    """Return a new random identity for an event.

    The event keeps its identity when it moves to another machine.
    """
    return secrets.token_hex(16)


def one_line(text: str) -> None:
    """Validate that a title is a single line.

    Titles appear in email subjects and file names, where a line break would cut them off.
    """
    if any(unicodedata.category(sign) in ("Cc", "Zl", "Zp") for sign in text):
        raise ValidationError(_("Enter a single line."), code="not-one-line")


@process_cache(1000)
def _find_event_zone(name: str) -> ZoneInfo | None:
    """Return the time zone with this name, or None. An unknown name is logged once."""
    zone = find_zone(name) if name else None
    if name and not zone:
        logger.warning("Unknown time zone %r: its events show times in the site's zone.", name)
    return zone


def known_zone(name: str) -> None:
    """Validate that a time zone with this name exists on this machine."""
    if name not in zone_names():
        raise ValidationError(_("There is no such time zone."), code="no-zone")


def _choice_field(
    choices: type[models.TextChoices], label: Any, longest: int, **options: Any
) -> "models.CharField[str, str]":
    """Return a field for a setting with a few choices. The first choice is the default."""
    default = choices.choices[0][0]
    return models.CharField(
        label, max_length=longest, choices=choices.choices, default=default, **options
    )


class Event(models.Model):
    """A tournament with one set of rules.

    These columns describe the moves of an event between machines:

    * `identity`: an id that is the same on every machine.
    * `journey`: the number of moves.
    * `away_since`: set while the event is on another machine and therefore read-only here.
    * `brought`: ranges of history rows from other machines, where accounts have other keys.
    """

    personal = Personal(
        scrubbed="title description place options conditions email_domains consent contact_name "
        "contact_email contact_phone contact_room brought",
        free={"keys": "slug identity lots_key", "codes": "ruleset tie_breakers freeze time_zone"},
        purposes=(
            Purpose(
                "title description place options conditions email_domains consent contact_name "
                "contact_email contact_phone contact_room brought",
                Topic.WRITTEN,
                _(
                    "The event: title, description, venue and conditions, and the contact details "
                    "given by the organizers"
                ),
                _("To tell everyone what will be played, when, and who is running the event."),
                ColumnAudience.EVERYBODY,
                Retention.EVENT,
            ),
        ),
    )

    class State(models.TextChoices):
        DRAFT = "draft", _("draft")
        OPEN = "open", _("published")
        RUNNING = "running", _("in progress")
        FINISHED = "finished", _("finished")

    class SecondPerson(models.TextChoices):
        """The rules on which actions need a second organizer, from fewest actions to most."""

        OFF = "off", _("nothing: one organizer is enough")
        FAR = "far", _("far-reaching changes")
        ALL = "all", _("far-reaching changes and every result entered by hand")

    Forfeits, Disqualified = outcomes.Forfeits, outcomes.Disqualified
    Substitutes, Missed = outcomes.Substitutes, outcomes.MissedRounds

    title = models.CharField(_("title"), max_length=120, validators=[one_line])
    slug = models.SlugField(
        _("web address"),
        max_length=60,
        unique=True,
        help_text=_("The last part of the event’s web address."),
    )
    description = models.TextField(_("description"), blank=True)
    place = models.CharField(_("venue"), max_length=120, blank=True)
    ruleset = models.CharField(_("rule set"), max_length=32, default="uno-500")
    options: "models.Field[dict[str, Value], dict[str, Value]]" = models.JSONField(
        _("options"), default=dict, blank=True
    )
    table_size = models.PositiveSmallIntegerField(
        _("players per table"), default=4, validators=[MinValueValidator(2), MaxValueValidator(10)]
    )
    turn_seconds = models.PositiveSmallIntegerField(
        _("seconds per turn"),
        default=25,
        validators=[MinValueValidator(5), MaxValueValidator(600)],
    )
    bank_seconds = models.PositiveSmallIntegerField(
        _("time bank: extra seconds per player and hand, for longer turns"),
        default=30,
        validators=[MaxValueValidator(600)],
    )
    absence_seconds = models.PositiveSmallIntegerField(
        _("seconds to wait for an absent player in each hand"),
        default=60,
        validators=[MaxValueValidator(3600)],
        help_text=_(
            "After this time, cards are drawn and turns are passed automatically until the "
            "player is back. If set to 0, every turn runs its full time."
        ),
    )
    viewers = models.CharField(
        _("viewers see"),
        max_length=8,
        choices=Match.Viewers.choices,
        default=Match.Viewers.LIVE,
    )
    viewer_delay_seconds = models.PositiveSmallIntegerField(
        _("viewer delay in seconds"),
        default=60,
        validators=[MinValueValidator(5), MaxValueValidator(1800)],
        help_text=_(
            "Used when moves are shown with a delay. Commentators see all cards, with the "
            "same delay."
        ),
    )
    replays = models.CharField(
        _("cards become public"),
        max_length=6,
        choices=Match.Replays.choices,
        default=Match.Replays.OVER,
    )
    hand_limit = models.PositiveSmallIntegerField(
        _("maximum hands per match"), null=True, blank=True, validators=[MinValueValidator(1)]
    )
    round_minutes = models.PositiveSmallIntegerField(
        _("maximum minutes per round"), null=True, blank=True, validators=[MinValueValidator(1)]
    )
    starts_at = models.DateTimeField(_("first round starts"), null=True, blank=True)
    registration_opens = models.DateTimeField(_("registration opens"), null=True, blank=True)
    registration_closes = models.DateTimeField(_("registration closes"), null=True, blank=True)
    capacity = models.PositiveIntegerField(
        _("spots"), null=True, blank=True, validators=[MinValueValidator(2)]
    )
    requires_approval = models.BooleanField(
        _("an organizer approves every registration"), default=False
    )
    eligibility_required = models.BooleanField(
        _("only students on the eligibility list can register"), default=True
    )
    conditions: "models.Field[list[dict[str, str]], list[dict[str, str]]]" = models.JSONField(
        _("conditions"), default=list, blank=True
    )
    email_domains: "models.Field[list[str], list[str]]" = models.JSONField(
        _("email addresses must end in"), default=list, blank=True
    )
    check_in = models.BooleanField(_("players check in before they are seated"), default=False)
    check_in_opens = models.DateTimeField(_("check-in opens"), null=True, blank=True)
    check_in_closes = models.DateTimeField(_("check-in closes"), null=True, blank=True)
    tie_breakers: "models.Field[list[str], list[str]]" = models.JSONField(
        _("tie-breaks"), default=list, blank=True
    )
    apart_by = models.CharField(
        _("spread players across tables by"),
        max_length=12,
        choices=[
            ("department", _("department")),
            ("programme", _("programme")),
            ("year", _("year")),
        ],
        blank=True,
    )
    forfeits = _choice_field(
        Forfeits,
        _("a player who forfeits a match gets"),
        8,
        help_text=_("If the lowest score wins, “no points” means the worst score at the table."),
    )
    disqualified = _choice_field(Disqualified, _("disqualified players’ matches"), 8)
    substitutes = _choice_field(
        Substitutes,
        _("substitutes play"),
        12,
        help_text=_("In later stages, a substitute always plays for the player who advanced."),
    )
    missed_rounds = _choice_field(
        Missed,
        _("a missed round counts as"),
        8,
        help_text=_(
            "For late arrivals and players who sit out. The average counts for one missed round "
            "per stage, and any others count as losses. A bye always counts as the player’s "
            "average."
        ),
    )
    players_enter = _choice_field(
        outcomes.PlayersEnter, _("players enter the points at tables with physical cards"), 6
    )
    reactions = models.BooleanField(
        _("players can react with smileys and “good game”"),
        default=True,
        help_text=_(
            "Every player and viewer can hide reactions for themselves. Reactions are stored."
        ),
    )
    fill_with_bots = models.BooleanField(
        _("bots fill tables that are short of players"), default=False
    )
    second_person = models.CharField(
        _("a second organizer confirms"),
        max_length=4,
        choices=SecondPerson.choices,
        default=SecondPerson.FAR,
    )
    second_factor = models.BooleanField(
        _("organizers need two-factor authentication"),
        default=False,
        help_text=_("An authenticator app or a passkey, in addition to the password."),
    )
    lots_key = models.CharField(max_length=32, default=new_lots_key, editable=False)
    freeze: "models.Field[Freeze, Freeze]" = ValueField(Freeze)
    time_zone = models.CharField(
        _("time zone"),
        max_length=64,
        blank=True,
        validators=[known_zone],
        help_text=_("All event times are shown in this time zone."),
    )
    contact_name = models.CharField(_("contact person"), max_length=80, blank=True)
    contact_email = models.EmailField(_("contact email address"), blank=True)
    contact_phone = models.CharField(_("contact phone number"), max_length=40, blank=True)
    contact_room = models.CharField(_("contact room"), max_length=80, blank=True)
    consent = models.TextField(
        _("terms that players agree to"),
        max_length=2000,
        blank=True,
        help_text=_(
            "Players agree to this text when they register. The time and the exact wording "
            "are recorded."
        ),
    )
    state = models.CharField(_("state"), max_length=10, choices=State.choices, default=State.DRAFT)
    created_at = models.DateTimeField(auto_now_add=True)
    # The event that this one rehearses with bots (docs/running-an-event.md).
    rehearsal_of = models.OneToOneField(
        "self", models.CASCADE, related_name="rehearsal", null=True, editable=False
    )
    # Set when the results become final. After that, the event cannot change.
    locked_at = models.DateTimeField(_("locked at"), null=True, editable=False)
    # For moving the event between machines (docs/moving-an-event.md).
    identity = models.CharField(max_length=32, unique=True, default=new_identity, editable=False)
    journey = models.PositiveIntegerField(default=0, editable=False)
    away_since = models.DateTimeField(_("on another server since"), null=True, editable=False)
    brought: "models.Field[list[list[int]], list[list[int]]]" = models.JSONField(
        default=list, editable=False
    )
    keep_days = models.PositiveSmallIntegerField(
        _("days until personal data is deleted"),
        null=True,
        blank=True,
        editable=False,
        validators=[MinValueValidator(1), MaxValueValidator(3650)],
    )
    purged_at = models.DateTimeField(_("personal data deleted at"), null=True, editable=False)

    class Meta:
        verbose_name = _("event")
        verbose_name_plural = _("events")
        ordering = ["-starts_at", "-pk"]
        constraints = [
            models.CheckConstraint(
                name="registration_opens_before_it_closes",
                condition=models.Q(registration_opens__isnull=True)
                | models.Q(registration_closes__isnull=True)
                | models.Q(registration_opens__lt=models.F("registration_closes")),
                violation_error_message=_("Registration must open before it closes."),
            )
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def organizers(self) -> models.QuerySet[User]:
        """The event's owners, who have all rights and confirm each other's requests."""
        return User.objects.filter(roles__event=self, roles__role=OWNER)

    @property
    def commentary(self) -> models.QuerySet[Any]:
        """The roles of the event's commentators."""
        return self.roles.filter(role=COMMENTATOR)

    @property
    def topic(self) -> str:
        """The topic under which changes to the event's pages are announced."""
        return f"event:{self.pk}"

    @property
    def public(self) -> bool:
        """Whether everyone may see the event.

        `events.publicity.public_events` is the same condition as a query.
        """
        return self.state != self.State.DRAFT and self.rehearsal_of_id is None

    @property
    def contact(self) -> str:
        """The contact person with email, phone and room, as one line, or ""."""
        details = (self.contact_name, self.contact_email, self.contact_phone, self.contact_room)
        return ", ".join(filter(None, details))

    @property
    def zone(self) -> ZoneInfo:
        """The event's time zone, or the site's if the event has none or an unknown one."""
        return _find_event_zone(self.time_zone) or ZoneInfo(settings.TIME_ZONE)

    @property
    def registration_state(self) -> str:
        """Whether registration is `closed`, `early` or `open` now."""
        now = timezone.now()
        if self.state in (self.State.DRAFT, self.State.FINISHED):
            return "closed"
        if self.registration_opens and now < self.registration_opens:
            return "early"
        if self.registration_closes and now >= self.registration_closes:
            return "closed"
        return "open"

    @property
    def check_in_state(self) -> str:
        """Whether check-in is `off`, `early`, `open` or `closed` now."""
        now = timezone.now()
        if not self.check_in or self.state in (self.State.DRAFT, self.State.FINISHED):
            return "off"
        if self.check_in_opens and now < self.check_in_opens:
            return "early"
        if self.check_in_closes and now >= self.check_in_closes:
            return "closed"
        return "open"

    @property
    def asks_presence(self) -> bool:
        """Whether check-in has opened, so that only players who have checked in are seated."""
        return self.check_in_state in ("open", "closed")
