"""What organizers did, and what the site has deleted by itself."""

from collections.abc import Mapping

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.models.personal import Personal, Purpose, Seen, Topic, Until
from tournament.models.event import Event


class Logged(models.TextChoices):
    """What is written down in an event's log; stored, so that a value stays what it is."""

    ABANDON = "abandon", pgettext_lazy("action in the log", "abandon")
    ABSENT = "absent", pgettext_lazy("action in the log", "absent")
    ABSENT_OFF = "absent-off", pgettext_lazy("action in the log", "absent-off")
    ADD_STAGE = "add-stage", pgettext_lazy("action in the log", "add-stage")
    ANONYMISE = "anonymise", pgettext_lazy("action in the log", "anonymise")
    ANSWER = "answer", pgettext_lazy("action in the log", "answer")
    APPROVE = "approve", pgettext_lazy("action in the log", "approve")
    ASK = "ask", pgettext_lazy("action in the log", "ask")
    CALL_BACK = "call-back", pgettext_lazy("action in the log", "call-back")
    CALL_REFEREE = "call-referee", pgettext_lazy("action in the log", "call-referee")
    CALL_SETTLED = "call-settled", pgettext_lazy("action in the log", "call-settled")
    CALL_TAKEN = "call-taken", pgettext_lazy("action in the log", "call-taken")
    CARRY_BREAK = "carry-break", pgettext_lazy("action in the log", "carry-break")
    CARRY_IN = "carry-in", pgettext_lazy("action in the log", "carry-in")
    CARRY_OUT = "carry-out", pgettext_lazy("action in the log", "carry-out")
    CHANGE = "change", pgettext_lazy("action in the log", "change")
    CHANGE_SEATS = "change-seats", pgettext_lazy("action in the log", "change-seats")
    CHANGE_SETTINGS = "change-settings", pgettext_lazy("action in the log", "change-settings")
    CHECK_IN = "check-in", pgettext_lazy("action in the log", "check-in")
    CHECK_IN_OFF = "check-in-off", pgettext_lazy("action in the log", "check-in-off")
    CLOSE = "close", pgettext_lazy("action in the log", "close")
    CLOSE_EARLY = "close-early", pgettext_lazy("action in the log", "close-early")
    COMMENTARY = "commentary", pgettext_lazy("action in the log", "commentary")
    COMMENTATOR = "commentator", pgettext_lazy("action in the log", "commentator")
    COMMENTATOR_OFF = "commentator-off", pgettext_lazy("action in the log", "commentator-off")
    CONFIRM = "confirm", pgettext_lazy("action in the log", "confirm")
    CORRECT = "correct", pgettext_lazy("action in the log", "correct")
    CREATE = "create", pgettext_lazy("action in the log", "create")
    CUT_LEFT = "cut-left", pgettext_lazy("action in the log", "cut-left")
    DEMO_SEASON = "demo-season", pgettext_lazy("action in the log", "demo-season")
    DESK_SIGN_IN = "desk-sign-in", pgettext_lazy("action in the log", "desk-sign-in")
    DESK_SIGNED_IN = "desk-signed-in", pgettext_lazy("action in the log", "desk-signed-in")
    DEVICES = "devices", pgettext_lazy("action in the log", "devices")
    DRAW_DROPPED = "draw-dropped", pgettext_lazy("action in the log", "draw-dropped")
    ENTER = "enter", pgettext_lazy("action in the log", "enter")
    ENTER_LATE = "enter-late", pgettext_lazy("action in the log", "enter-late")
    EXCEPTION = "exception", pgettext_lazy("action in the log", "exception")
    EXCEPTION_OFF = "exception-off", pgettext_lazy("action in the log", "exception-off")
    EXPORT = "export", pgettext_lazy("action in the log", "export")
    FORMAT = "format", pgettext_lazy("action in the log", "format")
    FREEZE = "freeze", pgettext_lazy("action in the log", "freeze")
    IMPORT = "import", pgettext_lazy("action in the log", "import")
    INVITE = "invite", pgettext_lazy("action in the log", "invite")
    INVITE_OFF = "invite-off", pgettext_lazy("action in the log", "invite-off")
    KEEP_DAYS = "keep-days", pgettext_lazy("action in the log", "keep-days")
    LOCK = "lock", pgettext_lazy("action in the log", "lock")
    MAIL_SEATS = "mail-seats", pgettext_lazy("action in the log", "mail-seats")
    MESSAGE = "message", pgettext_lazy("action in the log", "message")
    MESSAGE_BACK = "message-back", pgettext_lazy("action in the log", "message-back")
    MINUTES = "minutes", pgettext_lazy("action in the log", "minutes")
    MOVED_UP = "moved-up", pgettext_lazy("action in the log", "moved-up")
    NEEDS = "needs", pgettext_lazy("action in the log", "needs")
    ORGANIZER = "organizer", pgettext_lazy("action in the log", "organizer")
    ORGANIZER_ACCOUNT = "organizer-account", pgettext_lazy("action in the log", "organizer-account")
    OUTAGE = "outage", pgettext_lazy("action in the log", "outage")
    PAPER = "paper", pgettext_lazy("action in the log", "paper")
    PAUSED = "paused", pgettext_lazy("action in the log", "paused")
    PLAYOFF = "playoff", pgettext_lazy("action in the log", "playoff")
    PLAYOFF_OFF = "playoff-off", pgettext_lazy("action in the log", "playoff-off")
    PUBLISH = "publish", pgettext_lazy("action in the log", "publish")
    PUBLISH_EVENT = "publish-event", pgettext_lazy("action in the log", "publish-event")
    PURGE = "purge", pgettext_lazy("action in the log", "purge")
    QUALIFY = "qualify", pgettext_lazy("action in the log", "qualify")
    REDO_HAND = "redo-hand", pgettext_lazy("action in the log", "redo-hand")
    REFUSE = "refuse", pgettext_lazy("action in the log", "refuse")
    REMOVE_STAGE = "remove-stage", pgettext_lazy("action in the log", "remove-stage")
    RENAME = "rename", pgettext_lazy("action in the log", "rename")
    REOPEN = "reopen", pgettext_lazy("action in the log", "reopen")
    REOPEN_ROUND = "reopen-round", pgettext_lazy("action in the log", "reopen-round")
    REPAIR_SEATS = "repair-seats", pgettext_lazy("action in the log", "repair-seats")
    REPORT = "report", pgettext_lazy("action in the log", "report")
    REPORT_ANSWER = "report-answer", pgettext_lazy("action in the log", "report-answer")
    RESUMED = "resumed", pgettext_lazy("action in the log", "resumed")
    REVEAL = "reveal", pgettext_lazy("action in the log", "reveal")
    ROLE = "role", pgettext_lazy("action in the log", "role")
    ROLE_OFF = "role-off", pgettext_lazy("action in the log", "role-off")
    RULES = "rules", pgettext_lazy("action in the log", "rules")
    RULING = "ruling", pgettext_lazy("action in the log", "ruling")
    RULING_OFF = "ruling-off", pgettext_lazy("action in the log", "ruling-off")
    SEAT = "seat", pgettext_lazy("action in the log", "seat")
    SECOND_FACTOR = "second-factor", pgettext_lazy("action in the log", "second-factor")
    SECOND_PERSON = "second-person", pgettext_lazy("action in the log", "second-person")
    START = "start", pgettext_lazy("action in the log", "start")
    STUDENT = "student", pgettext_lazy("action in the log", "student")
    TAKE_OUT = "take-out", pgettext_lazy("action in the log", "take-out")
    THAW = "thaw", pgettext_lazy("action in the log", "thaw")
    TIME = "time", pgettext_lazy("action in the log", "time")
    TURN = "turn", pgettext_lazy("action in the log", "turn")
    UNDO = "undo", pgettext_lazy("action in the log", "undo")
    UNDO_IMPORT = "undo-import", pgettext_lazy("action in the log", "undo-import")
    UNDO_QUALIFY = "undo-qualify", pgettext_lazy("action in the log", "undo-qualify")
    UNLOCK = "unlock", pgettext_lazy("action in the log", "unlock")
    UNPUBLISH = "unpublish", pgettext_lazy("action in the log", "unpublish")
    UNSTART = "unstart", pgettext_lazy("action in the log", "unstart")
    WALK_IN = "walk-in", pgettext_lazy("action in the log", "walk-in")
    WINNER = "winner", pgettext_lazy("action in the log", "winner")
    WITHDRAW = "withdraw", pgettext_lazy("action in the log", "withdraw")


def logged(action: str) -> str:
    """An action in words; one of an older version as it is stored."""
    return str(Logged(action).label) if action in Logged.values else action


class AuditEntry(models.Model):
    """One action of an organizer: who, what, when, why. Written by `oversight.desk_log`.

    Each row holds the one before (common/chain.py); `account` is the actor's key on the machine
    where the row was written. The database refuses to change or delete one, but for this: where
    somebody is made nameless, words and actor may change, and the row is `redacted` from then on:
    `account` and `salt` are gone, the seal stays.
    """

    personal = Personal(
        scrubbed="text reason data",
        free={"a code": "action", "the chain": "previous digest seal salt"},
        purposes=(
            Purpose(
                "text reason data",
                Topic.WRITTEN,
                _("The event’s log: what organizers did, when, why, and about whom"),
                _("So that nothing is done unseen, and mistakes can be put right."),
                Seen.ORGANIZERS,
                Until.EVENT,
            ),
        ),
    )
    # What a row becomes of which a word is changed.
    LOOSENED: Mapping[str, object] = {"redacted": True, "salt": "", "account": None}

    event = models.ForeignKey(Event, models.CASCADE, related_name="audit", verbose_name=_("event"))
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="+",
        null=True,
        blank=True,
        verbose_name=_("actor"),
    )
    at = models.DateTimeField(_("at"), default=timezone.now, editable=False)
    action = models.CharField(_("action"), max_length=40)
    text = models.CharField(_("what"), max_length=300)
    reason = models.CharField(_("reason"), max_length=300, blank=True)
    data = models.JSONField(default=dict, blank=True)
    number = models.PositiveIntegerField(editable=False)
    account = models.BigIntegerField(null=True, editable=False)
    previous = models.CharField(max_length=64, editable=False)
    digest = models.CharField(max_length=64, editable=False)
    seal = models.CharField(max_length=64, editable=False)
    salt = models.CharField(max_length=32, blank=True, editable=False)
    redacted = models.BooleanField(default=False, editable=False)

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("log entry")
        verbose_name_plural = _("log")
        constraints = [
            models.UniqueConstraint(fields=["event", "number"], name="one_log_entry_per_number")
        ]

    def __str__(self) -> str:
        return self.text


class RetentionDay(models.Model):
    """What was deleted on one day because it had been kept long enough.

    `done`: how many, by what (tournament/privacy/retention.py); `at`: when it was last looked.
    """

    personal = Personal(free={"counts": "done"})

    day = models.DateField(unique=True)
    at = models.DateTimeField()
    done: "models.Field[dict[str, int], dict[str, int]]" = models.JSONField(default=dict)

    class Meta:
        ordering = ["-day"]
        verbose_name = _("day of deletions")
        verbose_name_plural = _("days of deletions")

    def __str__(self) -> str:
        return self.day.isoformat()
