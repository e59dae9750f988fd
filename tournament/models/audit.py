"""The log of organizers' actions, and the record of automatic deletions."""

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import pgettext_lazy

from games.models.personal import ColumnAudience, Personal, Purpose, Retention, Topic
from tournament.models.event import Event


class LogAction(models.TextChoices):
    """An action in an event's log. Stored values must never change."""

    ABANDON = "abandon", pgettext_lazy("action in the log", "match abandoned")
    ABSENT = "absent", pgettext_lazy("action in the log", "marked absent")
    ABSENT_OFF = "absent-off", pgettext_lazy("action in the log", "no longer absent")
    ADD_STAGE = "add-stage", pgettext_lazy("action in the log", "stage added")
    ANONYMISE = "anonymise", pgettext_lazy("action in the log", "player anonymized")
    ANSWER = "answer", pgettext_lazy("action in the log", "request answered")
    APPROVE = "approve", pgettext_lazy("action in the log", "registration approved")
    ASK = "ask", pgettext_lazy("action in the log", "confirmation requested")
    CALL_BACK = "call-back", pgettext_lazy("action in the log", "referee call withdrawn")
    CALL_REFEREE = "call-referee", pgettext_lazy("action in the log", "referee called")
    CALL_SETTLED = "call-settled", pgettext_lazy("action in the log", "referee call resolved")
    CALL_TAKEN = "call-taken", pgettext_lazy("action in the log", "referee on the way")
    CARRY_BREAK = (
        "carry-break",
        pgettext_lazy("action in the log", "resumed without the other server"),
    )
    CARRY_IN = "carry-in", pgettext_lazy("action in the log", "event imported")
    CARRY_OUT = "carry-out", pgettext_lazy("action in the log", "event moved to another server")
    CHANGE = "change", pgettext_lazy("action in the log", "settings changed")
    CHANGE_SEATS = "change-seats", pgettext_lazy("action in the log", "seats changed")
    CHANGE_SETTINGS = "change-settings", pgettext_lazy("action in the log", "settings changed")
    CHECK_IN = "check-in", pgettext_lazy("action in the log", "checked in")
    CHECK_IN_OFF = "check-in-off", pgettext_lazy("action in the log", "check-in undone")
    CLOSE = "close", pgettext_lazy("action in the log", "round closed")
    CLOSE_EARLY = "close-early", pgettext_lazy("action in the log", "round closed early")
    COMMENTARY = "commentary", pgettext_lazy("action in the log", "commentator opened a table")
    COMMENTATOR = "commentator", pgettext_lazy("action in the log", "commentator")
    COMMENTATOR_OFF = "commentator-off", pgettext_lazy("action in the log", "commentator added")
    CONFIRM = "confirm", pgettext_lazy("action in the log", "confirmed")
    CORRECT = "correct", pgettext_lazy("action in the log", "result corrected")
    CREATE = "create", pgettext_lazy("action in the log", "event created")
    CUT_LEFT = "cut-left", pgettext_lazy("action in the log", "cut left unchanged")
    DEMO_SEASON = "demo-season", pgettext_lazy("action in the log", "demo season")
    DESK_SIGN_IN = "desk-sign-in", pgettext_lazy("action in the log", "sign-in code shown")
    DESK_SIGNED_IN = "desk-signed-in", pgettext_lazy("action in the log", "signed in at the desk")
    DEVICES = "devices", pgettext_lazy("action in the log", "device keys recorded")
    DRAW_DROPPED = "draw-dropped", pgettext_lazy("action in the log", "draw discarded")
    DRAW_LEFT = "draw-left", pgettext_lazy("action in the log", "draw left unchanged")
    ENTER = "enter", pgettext_lazy("action in the log", "result entered")
    ENTER_LATE = "enter-late", pgettext_lazy("action in the log", "result entered late")
    EXCEPTION = "exception", pgettext_lazy("action in the log", "exception granted")
    EXCEPTION_OFF = "exception-off", pgettext_lazy("action in the log", "exception withdrawn")
    EXPORT = "export", pgettext_lazy("action in the log", "export granted")
    FORMAT = "format", pgettext_lazy("action in the log", "format changed")
    FREEZE = "freeze", pgettext_lazy("action in the log", "leaderboard frozen")
    IMPORT = "import", pgettext_lazy("action in the log", "eligibility list imported")
    INVITE = "invite", pgettext_lazy("action in the log", "invitation sent")
    INVITE_OFF = (
        "invite-off",
        pgettext_lazy("action in the log", "invitation withdrawn or declined"),
    )
    KEEP_DAYS = "keep-days", pgettext_lazy("action in the log", "retention period changed")
    LOCK = "lock", pgettext_lazy("action in the log", "results locked")
    MAIL_SEATS = "mail-seats", pgettext_lazy("action in the log", "seats emailed")
    MESSAGE = "message", pgettext_lazy("action in the log", "announcement sent")
    MESSAGE_BACK = "message-back", pgettext_lazy("action in the log", "announcement withdrawn")
    MINUTES = "minutes", pgettext_lazy("action in the log", "round extended")
    MOVED_UP = "moved-up", pgettext_lazy("action in the log", "moved up from the waitlist")
    NEEDS = "needs", pgettext_lazy("action in the log", "player’s needs changed")
    ORGANIZER = "organizer", pgettext_lazy("action in the log", "organizers changed")
    ORGANIZER_ACCOUNT = (
        "organizer-account",
        pgettext_lazy("action in the log", "organizer’s account changed"),
    )
    OUTAGE = "outage", pgettext_lazy("action in the log", "outage")
    PAPER = "paper", pgettext_lazy("action in the log", "physical cards turned on or off")
    PAUSED = "paused", pgettext_lazy("action in the log", "play paused")
    PLAYOFF = "playoff", pgettext_lazy("action in the log", "tie-break hand recorded")
    PLAYOFF_OFF = "playoff-off", pgettext_lazy("action in the log", "tie-break hand undone")
    PUBLISH = "publish", pgettext_lazy("action in the log", "round published")
    PUBLISH_EVENT = "publish-event", pgettext_lazy("action in the log", "event published")
    PURGE = "purge", pgettext_lazy("action in the log", "personal data deleted")
    QUALIFY = "qualify", pgettext_lazy("action in the log", "players advanced")
    REDO_HAND = "redo-hand", pgettext_lazy("action in the log", "hand dealt again")
    REFUSE = "refuse", pgettext_lazy("action in the log", "registration rejected")
    REMOVE_STAGE = "remove-stage", pgettext_lazy("action in the log", "stage removed")
    RENAME = "rename", pgettext_lazy("action in the log", "name changed")
    REOPEN = "reopen", pgettext_lazy("action in the log", "winner announcement undone")
    REOPEN_ROUND = "reopen-round", pgettext_lazy("action in the log", "round reopened")
    REPAIR_SEATS = "repair-seats", pgettext_lazy("action in the log", "seats adjusted")
    REPORT = "report", pgettext_lazy("action in the log", "points entered by players")
    REPORT_ANSWER = (
        "report-answer",
        pgettext_lazy("action in the log", "points confirmed or disputed by players"),
    )
    RESUMED = "resumed", pgettext_lazy("action in the log", "play resumed")
    REVEAL = "reveal", pgettext_lazy("action in the log", "places revealed")
    ROLE = "role", pgettext_lazy("action in the log", "role given")
    ROLE_OFF = "role-off", pgettext_lazy("action in the log", "role removed")
    RULES = "rules", pgettext_lazy("action in the log", "rules changed")
    RULING = "ruling", pgettext_lazy("action in the log", "ruling")
    RULING_OFF = "ruling-off", pgettext_lazy("action in the log", "ruling undone")
    SEAT = "seat", pgettext_lazy("action in the log", "seats drawn")
    SECOND_FACTOR = "second-factor", pgettext_lazy("action in the log", "second factor removed")
    SECOND_PERSON = (
        "second-person",
        pgettext_lazy("action in the log", "second-organizer rule changed"),
    )
    START = "start", pgettext_lazy("action in the log", "round started")
    STUDENT = "student", pgettext_lazy("action in the log", "student’s entry changed")
    TAKE_OUT = "take-out", pgettext_lazy("action in the log", "player removed from the event")
    THAW = "thaw", pgettext_lazy("action in the log", "leaderboard unfrozen")
    TIME = "time", pgettext_lazy("action in the log", "time per turn extended")
    TURN = "turn", pgettext_lazy("action in the log", "turn extended")
    UNDO = "undo", pgettext_lazy("action in the log", "result undone")
    UNDO_IMPORT = "undo-import", pgettext_lazy("action in the log", "import undone")
    UNDO_QUALIFY = "undo-qualify", pgettext_lazy("action in the log", "advancement undone")
    UNLOCK = "unlock", pgettext_lazy("action in the log", "results unlocked")
    UNPUBLISH = "unpublish", pgettext_lazy("action in the log", "round unpublished")
    UNSTART = "unstart", pgettext_lazy("action in the log", "round start undone")
    WALK_IN = "walk-in", pgettext_lazy("action in the log", "walk-in")
    WINNER = "winner", pgettext_lazy("action in the log", "winner announced")
    WITHDRAW = "withdraw", pgettext_lazy("action in the log", "registration withdrawn")


def describe_action(action: str) -> str:
    """Describe a logged action in words.

    Actions that only older versions could log are returned unchanged.
    """
    return str(LogAction(action).label) if action in LogAction.values else action


class AuditEntry(models.Model):
    """An entry in an event's activity log: an action of an organizer, with its time and reason.

    `oversight.desk_log` writes the entries. An entry is chained to the previous one
    (pure/chain.py). `account` is the actor's key on the machine where the entry was written.

    The database refuses to change or delete entries, with one exception. When a person is
    anonymized, the text and the actor may change, and the entry is marked `redacted`. Its `account`
    and `salt` are then removed, but its seal remains.
    """

    personal = Personal(
        scrubbed="text reason data",
        reasons="reason",
        free={"a code": "action", "the chain": "previous digest seal salt"},
        purposes=(
            Purpose(
                "text reason data",
                Topic.WRITTEN,
                _(
                    "The event’s activity log: what organizers did, when and why, and whom it "
                    "concerned"
                ),
                _("So that every action can be traced and mistakes can be corrected."),
                ColumnAudience.ORGANIZERS,
                Retention.EVENT,
            ),
        ),
        redaction_values={"redacted": True, "salt": "", "account": None},
    )

    event = models.ForeignKey(Event, models.CASCADE, related_name="audit", verbose_name=_("event"))
    actor = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="+",
        null=True,
        blank=True,
        verbose_name=_("done by"),
    )
    at = models.DateTimeField(_("at"), default=timezone.now, editable=False)
    action = models.CharField(_("action"), max_length=40)
    text = models.CharField(_("details"), max_length=300)
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
    """The automatic deletions of one day, of data past its retention date.

    * `at`: the time of the day's last check.
    * `done`: the number of deletions by kind (tournament/privacy/retention.py).
    """

    personal = Personal(free={"counts": "done"})

    day = models.DateField(unique=True)
    at = models.DateTimeField()
    done: "models.Field[dict[str, int], dict[str, int]]" = models.JSONField(default=dict)

    class Meta:
        ordering = ["-day"]
        verbose_name = _("deletion day")
        verbose_name_plural = _("deletion days")

    def __str__(self) -> str:
        return self.day.isoformat()
