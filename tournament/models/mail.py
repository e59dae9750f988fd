"""Outgoing email."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.personal import ColumnAudience, Personal, Purpose, Topic, Until
from tournament.models.event import Event
from tournament.models.play import Round
from tournament.models.registration import Registration


class Letter(models.Model):
    """An email, kept until the mail server accepts it.

    `due` is the time of the next attempt, or None if there is none.
    Emails that an event's organizers may look up are kept; once sent, they lose address and
    text.
    An email without an event (codes, account notices) is deleted when it is sent or given up.
    An email about a registration refers to it; one about a seat also refers to the round.
    `chair` is "table:seat", counted from 1, or "" if the seat no longer exists.
    `calendar` is attached as a file.
    """

    personal = Personal(
        who="name address",
        scrubbed="subject body",
        goes="with the person it was written to",
        whose="address registration__user",
        free={
            "the site's own": "sender",
            "a seat": "chair",
            "a code": "error",
            "the event's day": "calendar",
        },
        purposes=(
            Purpose(
                "name address subject body urgent written_at due until tries sent_at",
                Topic.MAILS,
                _(
                    "Emails to you: your name and address, the subject and text, and whether each "
                    "email was sent"
                ),
                _(
                    "To send the emails, to retry when the mail server is unavailable, and to see "
                    "whether they were sent."
                ),
                ColumnAudience.ORGANIZERS,
                Until.LETTER,
            ),
        ),
    )

    class State(models.TextChoices):
        WAITS = "waits", _("waiting to be sent")
        TRIED = "tried", _("will be retried")
        SENT = "sent", _("sent")
        FAILED = "failed", _("not sent")

    event = models.ForeignKey(Event, models.CASCADE, null=True, related_name="letters")
    round = models.ForeignKey(Round, models.SET_NULL, null=True, related_name="letters")
    registration = models.ForeignKey(
        Registration, models.SET_NULL, null=True, related_name="letters"
    )
    chair = models.CharField(max_length=12, blank=True)
    name = models.CharField(_("name"), max_length=120, blank=True)
    address = models.EmailField(_("email address"), max_length=254, blank=True)
    sender = models.CharField(max_length=300)
    subject = models.CharField(max_length=300)
    body = models.TextField(blank=True)
    calendar = models.TextField(blank=True)
    urgent = models.BooleanField(default=False)
    written_at = models.DateTimeField()
    due = models.DateTimeField(null=True, db_index=True)
    until = models.DateTimeField()
    tries = models.PositiveSmallIntegerField(default=0)
    error = models.CharField(max_length=100, blank=True)
    sent_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("email")
        verbose_name_plural = _("emails")

    def __str__(self) -> str:
        return self.subject

    @property
    def state(self) -> State:
        if self.sent_at is not None:
            return self.State.SENT
        if self.due is None:
            return self.State.FAILED
        return self.State.TRIED if self.error else self.State.WAITS


class WriteCheck(models.Model):
    """A single row, written to check that the database accepts writes."""

    at = models.DateTimeField()

    class Meta:
        verbose_name = _("database check")
        verbose_name_plural = _("database checks")

    def __str__(self) -> str:
        return self.at.isoformat()
