"""Eligible students, uploaded eligibility lists and registrations."""

from datetime import datetime

from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.personal import ColumnAudience, Personal, Purpose, Retention, Topic
from tournament.models.event import Event
from tournament.pure.lists import COLUMNS


class EligibleStudent(models.Model):
    """An entry of the eligibility list.

    * `roll_key`: the roll number in a normalized form, for comparisons.
    * `exception`: why the organizers admitted a student who does not meet a condition, or "".
    """

    personal = Personal(
        who="roll_number name email",
        keys="roll_key",
        about="department programme year exception",
        goes="with the person",
        whose="registrations__user",
        purposes=(
            Purpose(
                "roll_number roll_key name email department programme year",
                Topic.REGISTRATION,
                _(
                    "Your entry on the eligibility list: roll number, name, email address, "
                    "department, programme and year, if the list has them"
                ),
                _("So that we know who is eligible."),
                ColumnAudience.ORGANIZERS,
                Retention.EVENT,
            ),
            Purpose(
                "exception",
                Topic.REGISTRATION,
                _("Why you were admitted as an exception"),
                _("To be able to explain the exception later."),
                ColumnAudience.ORGANIZERS,
                Retention.EVENT,
            ),
        ),
    )

    event = models.ForeignKey(
        Event, models.CASCADE, related_name="students", verbose_name=_("event")
    )
    roll_number = models.CharField(_("roll number"), max_length=COLUMNS["roll_number"].limit)
    roll_key = models.CharField(max_length=COLUMNS["roll_number"].limit, editable=False)
    name = models.CharField(_("name"), max_length=COLUMNS["name"].limit)
    email = models.EmailField(_("email address"), max_length=COLUMNS["email"].limit, blank=True)
    department = models.CharField(
        _("department"), max_length=COLUMNS["department"].limit, blank=True
    )
    programme = models.CharField(_("programme"), max_length=COLUMNS["programme"].limit, blank=True)
    year = models.CharField(_("year"), max_length=COLUMNS["year"].limit, blank=True)
    exception = models.CharField(_("admitted as an exception"), max_length=300, blank=True)

    class Meta:
        ordering = ["event", "roll_key"]
        verbose_name = _("eligible student")
        verbose_name_plural = _("eligible students")
        constraints = [
            models.UniqueConstraint(fields=["event", "roll_key"], name="roll_once_per_list"),
            models.UniqueConstraint(
                fields=["event", "email"],
                condition=~models.Q(email=""),
                name="address_once_per_list",
            ),
        ]

    def __str__(self) -> str:
        return f"{self.roll_number} {self.name}"


class EligibilityImport(models.Model):
    """An uploaded eligibility list, previewed or applied.

    * `counts`: the number of rows by `verdicts.VerdictKind`.
    * `verdicts`: the report on the uploaded file (`verdicts.StoredReport`), or {} once the file is
      applied. Older rows have {}.
    * `before`: the data with which the import can be undone.
    * `columns`: the column that the organizers assigned to each heading. The choice also applies to
      the event's next list.
    """

    personal = Personal(
        about="content",
        scrubbed="filename counts verdicts before",
        goes="with all people of the event; its content with each of them",
        free={"digests": "content_hash list_hash", "names of columns": "columns"},
        purposes=(
            Purpose(
                "content filename counts verdicts before",
                Topic.REGISTRATION,
                _("An uploaded eligibility list until it is applied, and the changes it made"),
                _("To check a list before applying it, and to be able to undo its changes."),
                ColumnAudience.ORGANIZERS,
                Retention.EVENT,
            ),
        ),
    )

    class State(models.TextChoices):
        PREVIEWED = "previewed", _("previewed")
        APPLIED = "applied", _("applied")
        UNDONE = "undone", _("undone")

    event = models.ForeignKey(Event, models.CASCADE, related_name="imports")
    filename = models.CharField(max_length=120)
    content = models.BinaryField(_("file"))
    content_hash = models.CharField(max_length=64)
    list_hash = models.CharField(max_length=64)
    counts: "models.Field[dict[str, int], dict[str, int]]" = models.JSONField(default=dict)
    verdicts = models.JSONField(default=dict)
    before = models.JSONField(default=dict)
    columns: "models.Field[dict[str, str], dict[str, str]]" = models.JSONField(
        default=dict, db_default=models.Value({}, models.JSONField())
    )
    state = models.CharField(max_length=10, choices=State.choices, default=State.PREVIEWED)
    uploaded_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    uploaded_at = models.DateTimeField(auto_now_add=True)
    applied_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]
        verbose_name = _("uploaded list")
        verbose_name_plural = _("uploaded lists")

    def __str__(self) -> str:
        return self.filename


# Other registrations do not prevent a new one with the same roll number.
_TAKES_PART = models.Q(state__in=("pending", "approved", "waitlist"))


class Registration(models.Model):
    """A person's registration for an event. Registrations are never deleted.

    * `queue_number`: the number in order of registration, from 1.
    * `consented_at`: when the person agreed to `Event.consent`.
    * `consent_digest`: the hexadecimal SHA-256 digest of the wording that the person agreed to.
    * `look`: the avatar, copied from the account so that lists of people need no further query.
    * `anonymous`: whether the person can no longer be identified.
    * `checked_in_at`: the time of check-in.
    * `checked_in_by`: the organizer who checked the player in, or None if the player did.
    * `absent_at`: when an organizer marked the player as absent.
    * `seen_at`: when the player last had a page of the event open, to within half a minute.
    """

    personal = Personal(
        alias="name",
        who="roll_number",
        keys="roll_key",
        about="fixed_table extra_seconds look",
        scrubbed="reason",
        reasons="reason",
        gone="anonymous",
        whose="user",
        free={"a digest": "consent_digest"},
        purposes=(
            Purpose(
                "name",
                Topic.REGISTRATION,
                _("Your name in the event"),
                _("So that opponents, viewers and organizers know who is playing."),
                ColumnAudience.EVERYBODY,
                Retention.EVENT,
            ),
            Purpose(
                "look",
                Topic.REGISTRATION,
                _("Your avatar’s colour and icon"),
                _("So that others recognize you at a glance."),
                ColumnAudience.EVERYBODY,
                Retention.EVENT,
            ),
            Purpose(
                "roll_number roll_key",
                Topic.REGISTRATION,
                _("Your roll number"),
                _("So that only eligible students play, and each of them only once."),
                ColumnAudience.STAFF,
                Retention.EVENT,
            ),
            Purpose(
                "state reason queue_number registered_at decided_at anonymous",
                Topic.REGISTRATION,
                _(
                    "The time you registered, your position in the queue, and the decision with "
                    "its reason"
                ),
                _("To allocate spots fairly."),
                ColumnAudience.STAFF,
                Retention.EVENT,
            ),
            Purpose(
                "consented_at consent_digest",
                Topic.REGISTRATION,
                _("Your agreement to the event’s terms, with the time and the exact wording"),
                _("To be able to prove that you agreed."),
                ColumnAudience.STAFF,
                Retention.EVENT,
            ),
            Purpose(
                "checked_in_at absent_at seen_at",
                Topic.REGISTRATION,
                _(
                    "When you checked in, when you were marked absent, and when you last had a "
                    "page of the event open"
                ),
                _("So that we know who is present before seats are drawn and a round starts."),
                ColumnAudience.STAFF,
                Retention.EVENT,
            ),
            Purpose(
                "fixed_table extra_seconds",
                Topic.REGISTRATION,
                _("Your needs as a player: a particular table or more time per turn"),
                _("So that you can play on equal terms."),
                ColumnAudience.STAFF,
                Retention.EVENT,
            ),
        ),
    )

    class State(models.TextChoices):
        PENDING = "pending", _("waiting for approval")
        APPROVED = "approved", _("has a spot")
        WAITLIST = "waitlist", _("on the waitlist")
        REFUSED = "refused", _("rejected")
        WITHDRAWN = "withdrawn", _("withdrawn")
        DISQUALIFIED = "disqualified", _("disqualified")

    GONE = (State.REFUSED, State.WITHDRAWN, State.DISQUALIFIED)
    HOLDS_PLACE = (State.PENDING, State.APPROVED)
    TAKES_PART = _TAKES_PART

    event = models.ForeignKey(
        Event, models.PROTECT, related_name="registrations", verbose_name=_("event")
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="registrations",
        verbose_name=_("user"),
    )
    student = models.ForeignKey(
        EligibleStudent,
        models.PROTECT,
        related_name="registrations",
        null=True,
        blank=True,
        verbose_name=_("student"),
    )
    name = models.CharField(_("name"), max_length=120)
    roll_number = models.CharField(_("roll number"), max_length=40, blank=True)
    roll_key = models.CharField(max_length=40, blank=True, editable=False)
    state = models.CharField(_("state"), max_length=16, choices=State.choices)
    reason = models.CharField(_("reason"), max_length=300, blank=True)
    queue_number = models.PositiveIntegerField(_("No."), editable=False)
    registered_at = models.DateTimeField(
        _("registered at"),
    )
    consent_digest = models.CharField(max_length=64, blank=True, editable=False)
    consented_at = models.DateTimeField(null=True, blank=True, editable=False)
    fixed_table = models.PositiveSmallIntegerField(
        _("always seat at table"),
        null=True,
        blank=True,
        help_text=_("For a player who needs this particular table, for example a wheelchair user."),
    )
    extra_seconds = models.PositiveSmallIntegerField(
        _("extra seconds per turn"),
        default=0,
        validators=[MaxValueValidator(600)],
        help_text=_("For a player who needs more time. Applies from the next match."),
    )
    look = models.CharField(
        _("avatar"), max_length=24, blank=True, default="", db_default="", editable=False
    )
    anonymous = models.BooleanField(default=False, editable=False)
    apart_from = models.ManyToManyField("self", blank=True, verbose_name=_("never seat with"))
    decided_at = models.DateTimeField(null=True, blank=True)
    decided_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", null=True, blank=True
    )
    checked_in_at = models.DateTimeField(null=True, blank=True, editable=False)
    checked_in_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="+",
        null=True,
        blank=True,
        editable=False,
    )
    absent_at = models.DateTimeField(null=True, blank=True, editable=False)
    seen_at = models.DateTimeField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ["event", "queue_number"]
        verbose_name = _("registration")
        verbose_name_plural = _("registrations")
        constraints = [
            models.UniqueConstraint(fields=["event", "user"], name="registered_once"),
            models.UniqueConstraint(
                fields=["event", "student"], condition=_TAKES_PART, name="student_registered_once"
            ),
            models.UniqueConstraint(
                fields=["event", "roll_key"],
                condition=_TAKES_PART & ~models.Q(roll_key=""),
                name="roll_registered_once",
            ),
            models.UniqueConstraint(fields=["event", "queue_number"], name="one_place_in_queue"),
        ]

    def __str__(self) -> str:
        return self.name

    @property
    def is_participant(self) -> bool:
        """Whether the registration meets the condition `TAKES_PART`."""
        return self.state in (*self.HOLDS_PLACE, self.State.WAITLIST)

    def state_at(self, moment: datetime | None) -> str:
        """Return the state, ignoring a disqualification after `moment`.

        If `moment` is None, return the current state.
        """
        disqualified = self.state == self.State.DISQUALIFIED
        decided_later = (
            moment is not None and self.decided_at is not None and self.decided_at > moment
        )
        return self.State.APPROVED if disqualified and decided_later else self.state

    def was_disqualified_at(self, moment: datetime | None) -> bool:
        """Return whether the player was disqualified at `moment`. None means now."""
        return self.state_at(moment) == self.State.DISQUALIFIED


class DeskSignIn(models.Model):
    """A single-use desk code for the person of one registration. Only its hash is stored."""

    personal = Personal(
        goes="with the person",
        free={"a hash": "code_hash"},
        purposes=(
            Purpose(
                "expires_at used_at",
                Topic.REGISTRATION,
                _("Sign-in codes that the desk showed you, and when you used them"),
                _("So that each code works only once and can’t be used unnoticed."),
                ColumnAudience.ORGANIZERS,
                Retention.EVENT,
            ),
        ),
        whose="registration__user",
    )

    registration = models.ForeignKey(Registration, models.CASCADE, related_name="desk_sign_ins")
    organizer = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    code_hash = models.CharField(max_length=64, unique=True)
    expires_at = models.DateTimeField()
    used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        verbose_name = _("sign-in at the desk")
        verbose_name_plural = _("sign-ins at the desk")

    def __str__(self) -> str:
        return str(self.registration)
