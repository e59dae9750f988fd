"""Safeguards against secret actions, and against actions by one organizer alone.

These are proposals, the event history, and records of draws and deleted events.
"""

from enum import StrEnum

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from games.models.personal import ColumnAudience, Personal, Purpose, Retention, Topic
from tournament.models.event import Event
from tournament.models.play import Round
from tournament.models.roles import Role
from tournament.models.stage import Stage


class Proposal(models.Model):
    """An organizer's request that needs a second organizer, and the answer.

    * `kind`: the step, one of `Kind`. desk/steps.py defines the steps.
    * `facts`: the requested change and the situation at that time, with a `version`.
    * `foreseen`: the effect expected at that time, with a `version`, or {} if not recorded.
    * `round`: the round whose results the change would affect.
    * `answer`: the second organizer's reason for rejecting the request, or "".
    """

    personal = Personal(
        scrubbed="facts foreseen reason answer",
        reasons="reason answer",
        free={"a code": "kind"},
        purposes=(
            Purpose(
                "facts foreseen reason answer",
                Topic.WRITTEN,
                _(
                    "Changes that an organizer asked a second organizer to confirm, with the "
                    "reasons"
                ),
                _("So that no one makes far-reaching changes alone."),
                ColumnAudience.ORGANIZERS,
                Retention.EVENT,
            ),
        ),
    )

    class Kind(StrEnum):
        """The steps that can be requested. Stored values must never change."""

        RESULT = "result"
        UNDO = "undo"
        BACK_TO_SITE = "back-to-site"
        TAKE_OUT = "take-out"
        PLAYOFF = "playoff"
        PLAYOFF_OFF = "playoff-off"
        COMMENTATOR = "commentator"
        ORGANIZER = "organizer"
        INVITE = "invite"
        SECOND_PERSON = "second-person"
        EXPORT = "export"
        REOPEN_ROUND = "reopen-round"
        RULING = "ruling"
        RULING_OFF = "ruling-off"
        ANONYMISE = "anonymise"
        PURGE = "purge"
        UNLOCK = "unlock"

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting for a second organizer")
        CONFIRMED = "confirmed", _("confirmed")
        WITHDRAWN = "withdrawn", _("withdrawn")
        REFUSED = "refused", _("rejected")
        ALONE = "alone", _("done at once: the event has only one organizer")

    event = models.ForeignKey(Event, models.CASCADE, related_name="proposals")
    kind = models.CharField(max_length=20)
    facts = models.JSONField()
    foreseen = models.JSONField(default=dict)
    round = models.ForeignKey(Round, models.CASCADE, related_name="proposals", null=True)
    reason = models.CharField(max_length=300)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    asked_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    asked_at = models.DateTimeField(auto_now_add=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", null=True
    )
    decided_at = models.DateTimeField(null=True)
    answer = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return f"{self.kind} {self.pk}"


class HistoryEntry(models.Model):
    """A row of the public event history, chained to the previous row (pure/chain.py).

    `facts` contains keys, codes and numbers. Names are looked up when the row is shown. Triggers in
    the database refuse to change or delete a row, with two exceptions:

    * A reason and its salt may be removed for good. The seal remains, and the row is `redacted`.
    * A whole event may be deleted once a `DeletedEvent` records this.

    Rows of `version` 1 have no seal. Their digest covers the reason itself.
    """

    personal = Personal(
        redacted="reason",
        free={
            "codes": "action role",
            "keys and numbers": "facts",
            "the chain": "previous digest seal salt",
        },
        purposes=(
            Purpose(
                "reason",
                Topic.WRITTEN,
                _("The reasons given in an event’s public history"),
                _("So that everyone can see how results and seats were changed."),
                ColumnAudience.EVERYBODY,
                Retention.EVENT,
            ),
        ),
        redaction_values={"reason": "", "salt": "", "redacted": True},
    )

    event = models.ForeignKey(Event, models.CASCADE, related_name="history")
    number = models.PositiveIntegerField()
    action = models.CharField(max_length=40)
    role = models.CharField(max_length=12)
    facts = models.JSONField()
    reason = models.CharField(max_length=300, blank=True)
    at = models.DateTimeField()
    previous = models.CharField(max_length=64)
    digest = models.CharField(max_length=64)
    version = models.PositiveSmallIntegerField(default=1)
    seal = models.CharField(max_length=64, blank=True)
    salt = models.CharField(max_length=32, blank=True)
    redacted = models.BooleanField(default=False)

    class Meta:
        ordering = ["event", "number"]
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="one_entry_per_number")
        ]

    def __str__(self) -> str:
        return f"{self.number}. {self.action}"


class DeletedEvent(models.Model):
    """The record of a deleted event. It can never be deleted.

    The database allows the deletion of an event's history and log only after this row is written.

    * `number`: the key of the deleted event.
    * `rows`, `head`: the number of history rows, and the digest of the last one.
    * `log_rows`, `log_head`: the same for the activity log.
    """

    personal = Personal(free={"an address of the site": "slug", "the chain": "head log_head"})

    number = models.BigIntegerField(unique=True)
    slug = models.CharField(max_length=50)
    rows = models.PositiveIntegerField()
    head = models.CharField(max_length=64)
    log_rows = models.PositiveIntegerField()
    log_head = models.CharField(max_length=64)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.slug


class Draw(models.Model):
    """A draw of a round's seats, whether it was used or discarded.

    * `input`: the text from which the draw was computed.
    * `digest`: the digest of `input`.
    """

    personal = Personal(
        scrubbed="input",
        free={"a digest": "digest"},
        purposes=(
            Purpose(
                "input",
                Topic.WRITTEN,
                _("The basis of a seat draw: the players and any requests to sit apart"),
                _("So that the draw can be repeated and checked."),
                ColumnAudience.ORGANIZERS,
                Retention.EVENT,
            ),
        ),
    )

    stage = models.ForeignKey(Stage, models.CASCADE, related_name="draws")
    round_number = models.PositiveSmallIntegerField()
    number = models.PositiveSmallIntegerField()
    input = models.TextField()
    digest = models.CharField(max_length=64)

    class Meta:
        ordering = ["stage", "round_number", "number"]
        constraints = [
            models.UniqueConstraint(
                fields=["stage", "round_number", "number"], name="one_draw_per_number"
            )
        ]

    def __str__(self) -> str:
        return f"{self.stage} {self.round_number}.{self.number}"


class Invitation(models.Model):
    """An invitation to a role in the event.

    * `email`: the invited address, in lower case.
    * `page`: the URL where the invitation is answered.
    """

    personal = Personal(
        who="email",
        whose="email",
        free={"a page of the site": "page"},
        purposes=(
            Purpose(
                "email role state invited_at",
                Topic.ACCOUNT,
                _("The email address of a person invited to help run an event, and their answer"),
                _("To make sure that only that person gets the role."),
                ColumnAudience.ORGANIZERS,
                Retention.EVENT,
            ),
        ),
    )

    class State(models.TextChoices):
        ASKED = "asked", _("waiting for a second organizer")
        OPEN = "open", _("waiting for an answer")
        ACCEPTED = "accepted", _("accepted")
        DECLINED = "declined", _("declined")
        TAKEN_BACK = "taken-back", _("withdrawn")

    event = models.ForeignKey(Event, models.CASCADE, related_name="invitations")
    email = models.EmailField(_("email address"))
    role = models.CharField(max_length=12, choices=Role.choices, default=Role.OWNER)
    page = models.CharField(max_length=300)
    state = models.CharField(max_length=10, choices=State.choices, default=State.ASKED)
    invited_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    invited_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")

    def __str__(self) -> str:
        return self.email
