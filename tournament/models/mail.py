"""Outgoing messages: emails, and push messages to devices."""

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.personal import ColumnAudience, Personal, Purpose, Retention, Topic
from tournament.models.event import Event
from tournament.models.play import Round
from tournament.models.registration import Registration


class Letter(models.Model):
    """An email, stored until the mail server accepts it.

    * `registration`, `round`: the registration and round that the email is about, if any.
    * `chair`: the seat that the email is about, as "table:seat" from 1, or "".
    * `calendar`: the text of a calendar file to attach, or "".
    * `due`: the time of the next attempt, or None if there is none.
    * `until`: the time after which no more attempts are made.

    Organizers can look up the emails of their event, so these are kept after sending, without
    address and text. Emails without an event, such as sign-in codes, are deleted once they have
    been sent or have failed.
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
                Retention.LETTER,
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


class PushSubscription(models.Model):
    """A device on which a player has turned on notifications.

    * `endpoint`: the device's address at the push service of the browser's maker.
    * `public_key`, `secret`: keys for encrypting messages to the device.
    * `session`: the session on the device. When it ends, the subscription is deleted.
    * `language`: the language of messages to the device.
    """

    personal = Personal(
        about="language",
        free={"the browser's own": "endpoint public_key secret", "a key": "session"},
        goes="with the sign-in, the account, or when the bell is switched off",
        whose="user",
        purposes=(
            Purpose(
                "endpoint public_key secret session language created_at used_at",
                Topic.ACCOUNT,
                _(
                    "Each device on which you turned on the bell: its address at the browser "
                    "maker’s push service, its language, and when it was last used"
                ),
                _(
                    "To call you to your table while the page is closed. The push service "
                    "carries the messages and cannot read them."
                ),
                ColumnAudience.NOBODY,
                Retention.SESSION,
            ),
        ),
    )

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="push_subscriptions"
    )
    endpoint = models.CharField(max_length=1000, unique=True)
    public_key = models.CharField(max_length=100)
    secret = models.CharField(max_length=40)
    session = models.CharField(max_length=40, db_index=True)
    language = models.CharField(max_length=10)
    created_at = models.DateTimeField(auto_now_add=True)
    used_at = models.DateTimeField()

    class Meta:
        ordering = ["pk"]
        verbose_name = _("device for push messages")
        verbose_name_plural = _("devices for push messages")

    def __str__(self) -> str:
        return f"{self.created_at:%Y-%m-%d %H:%M}"


class PushMessage(models.Model):
    """A message to one device that calls a player to the table.

    * `call`: the start of the match or of the turn for which the player is called. A device gets at
      most one message for the same reason.
    * `due`: the time of the next attempt, or None if there is none.
    * `until`: the time after which the message is useless.
    """

    personal = Personal(
        free={"a key": "call", "a code": "error"},
        goes="with the device, and a day after it was written",
        whose="subscription__user",
        purposes=(
            Purpose(
                "call written_at due until tries error sent_at",
                Topic.GAMES,
                _("Push messages to your devices: the turn, and whether each was sent"),
                _("To call you once for each turn, and to check that push messages work."),
                ColumnAudience.OPERATORS,
                Retention.PUSH,
            ),
        ),
    )

    subscription = models.ForeignKey(PushSubscription, models.CASCADE, related_name="messages")
    match = models.ForeignKey("games.Match", models.CASCADE, related_name="+")
    call = models.CharField(max_length=40)
    written_at = models.DateTimeField(db_index=True)
    due = models.DateTimeField(null=True, db_index=True)
    until = models.DateTimeField()
    tries = models.PositiveSmallIntegerField(default=0)
    error = models.CharField(max_length=40, blank=True)
    sent_at = models.DateTimeField(null=True)

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("push message")
        verbose_name_plural = _("push messages")
        constraints = [
            models.UniqueConstraint(
                fields=["subscription", "match", "call"], name="one_push_message_per_call"
            )
        ]

    def __str__(self) -> str:
        return self.call


class WriteCheck(models.Model):
    """A single row that is updated to check whether the database accepts writes."""

    at = models.DateTimeField()

    class Meta:
        verbose_name = _("database check")
        verbose_name_plural = _("database checks")

    def __str__(self) -> str:
        return self.at.isoformat()
