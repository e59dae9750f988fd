"""Models of matches, seats and hands.

The log of actions defines the match. `Match.state` is the result of playing that log up to
`Match.version`. The seat numbers of a match never change. A hand numbers its own players from 0,
because eliminated seats are not dealt in. `Hand.players` lists the seats of its players.
"""

import secrets
from collections.abc import Mapping

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.json_values.deals import Deals
from games.json_values.event_context import Occasion
from games.json_values.field import SharedKeysField, ValueField
from games.json_values.race import Races
from games.json_values.seat_history import Sitters
from games.json_values.shapes import Links, RulesJson, StoredOpening
from games.json_values.state import LiveState
from games.models.personal import ColumnAudience, Personal, Purpose, Retention, Topic
from games.rules.words.words import isolate
from games.seats import Holder, SeatNumber


def new_public_id() -> str:
    """Return a random id of 144 bits, so that tables cannot be found by guessing."""
    public_id = secrets.token_urlsafe(18)
    # On a command line, an id with a leading dash would be taken for an option.
    return new_public_id() if public_id.startswith("-") else public_id


class Match(models.Model):
    """A series of hands at one table, until the target or a limit is reached.

    Version and clocks:

    * `version`: counts every change. Writers use it for compare-and-swap.
    * `parts`: counts writes to the match's hands and seats. They are loaded again only when it
      changes.
    * `due`: when the ticker has to check the match next.
    * `turn_until`: when the table acts for the seat whose turn it is.
    * `paused_at`: while it is set, `due` and `turn_until` are relative to that moment.
    * `outage`: the last Outage whose time has been restored to this match.
    * `turn_seconds`: the time for each turn.
    * `bank_seconds`: the time bank for each hand, used up by longer turns.
    * `absence_seconds`: how long a player may be away during a hand (0: no limit).
    * `share_seconds`: how long the first deal waits for people's shares.

    Content:

    * `state`: the hand in play with all its secrets, which must never reach a player.
    * `race`: undecided late calls and catches. They are secret and do not create a version.
    * `claims`: counts changes of `race`. Writers use it for compare-and-swap as well.
    * `goes_on`: the match was abandoned, but its finished hands still count, because the table
      continues elsewhere.
    * `before`: the points by seat of earlier hands, from the match that this one `continues` or
      from physical cards. They count like the match's own hands.
    * `occasion`: the round and table of a match that belongs to an event.
    * `title`: the name of any other match.

    Viewers:

    * `viewers`, `viewer_delay_seconds`: when people without a seat see the moves.
    * `viewers_until`: if set, they see nothing that happens after this time.
    * `replays`: when everyone may see the cards of a hand.
    * `commentary`: whether commentators may see the cards during play.
    """

    personal = Personal(
        scrubbed="title occasion links options ended_reason before state.notes",
        reasons="ended_reason",
        free={"keys": "public_id topic", "a code": "ruleset", "seats and moments": "race"},
        purposes=(
            Purpose(
                "title occasion links options ended_reason before state",
                Topic.GAMES,
                _("Each match’s title, rules, points and log, which may include names"),
                _("To run the match, show it and explain what happened."),
                ColumnAudience.TABLE,
                Retention.GAME,
            ),
        ),
    )

    class Phase(models.TextChoices):
        WAITING = "waiting", _("not started")
        PLAYING = "playing", _("hand in progress")
        BETWEEN = "between", _("between hands")
        OVER = "over", _("over")

    class MatchEnding(models.TextChoices):
        TARGET = "target", _("target reached")
        HAND_LIMIT = "hand-limit", _("last hand played")
        TIME = "time", _("time ran out")
        ABANDONED = "abandoned", _("abandoned")

    class Reason(models.TextChoices):
        """Reasons that the site itself gives for ending a match. The values are stored."""

        OFF_SITE = (
            "The table plays with physical cards.",
            _("The table has switched to physical cards."),
        )
        GUESTS = "A guest’s table is kept for a day.", _("Guest tables are kept for one day.")

    class Viewers(models.TextChoices):
        LIVE = "live", _("every move live")
        DELAYED = "delayed", _("every move with a delay")
        HAND = "hand", _("each hand once it’s over")

    class Replays(models.TextChoices):
        HAND = "hand", _("as soon as the hand is over")
        OVER = "over", _("once the match is over")
        NEVER = "never", _("never")

    public_id = models.CharField(
        _("public ID"), max_length=32, unique=True, default=new_public_id, editable=False
    )
    title = models.CharField(_("title"), max_length=80, blank=True)
    occasion: "models.Field[Occasion, Occasion]" = ValueField(Occasion, _("occasion"))
    topic = models.CharField(_("topic"), max_length=80, blank=True)
    links: "models.Field[Links, Links]" = models.JSONField(_("links"), default=dict, blank=True)
    ruleset = models.CharField(_("rule set"), max_length=32)
    options: "models.Field[Mapping[str, object], Mapping[str, object]]" = models.JSONField(
        _("options"), default=dict, blank=True
    )
    turn_seconds = models.PositiveSmallIntegerField(_("turn time (seconds)"), default=25)
    bank_seconds = models.PositiveSmallIntegerField(_("time bank (seconds)"), default=0)
    absence_seconds = models.PositiveSmallIntegerField(_("absence limit (seconds)"), default=0)
    bot_seconds = models.FloatField(_("bot thinking time (seconds)"), default=1.2)
    between_seconds = models.PositiveSmallIntegerField(
        _("break between hands (seconds)"), default=12
    )
    share_seconds = models.PositiveSmallIntegerField(_("time for shares (seconds)"), default=0)
    hand_limit = models.PositiveSmallIntegerField(_("hand limit"), null=True, blank=True)
    ends_at = models.DateTimeField(_("ends at"), null=True, blank=True)
    practice = models.BooleanField(_("practice"), default=False)
    viewers = models.CharField(
        _("viewers"), max_length=8, choices=Viewers.choices, default=Viewers.LIVE
    )
    viewer_delay_seconds = models.PositiveSmallIntegerField(_("viewer delay (seconds)"), default=0)
    viewers_until = models.DateTimeField(_("shown to viewers up to"), null=True, blank=True)
    commentary = models.BooleanField(_("commentary"), default=False)
    replays = models.CharField(
        _("replays"), max_length=6, choices=Replays.choices, default=Replays.OVER
    )
    phase = models.CharField(
        _("phase"), max_length=10, choices=Phase.choices, default=Phase.WAITING
    )
    ended = models.CharField(
        _("how it ended"), max_length=10, choices=MatchEnding.choices, blank=True
    )
    ended_reason = models.CharField(_("reason for ending"), max_length=300, blank=True)
    goes_on = models.BooleanField(_("continues elsewhere"), default=False)
    continues = models.ForeignKey(
        "self",
        models.SET_NULL,
        related_name="continued",
        null=True,
        blank=True,
        verbose_name=_("continuation of"),
    )
    before: "models.Field[list[list[int]], list[list[int]]]" = models.JSONField(
        _("points carried over"), default=list, blank=True
    )
    version = models.PositiveIntegerField(_("version"), default=0)
    state: "models.Field[LiveState, LiveState]" = ValueField(LiveState, _("state"))
    race: "models.Field[Races, Races]" = ValueField(Races, _("UNO race"))
    claims = models.PositiveIntegerField(_("claims"), default=0)
    parts = models.PositiveIntegerField(_("parts"), default=0)
    turn_until = models.DateTimeField(_("turn ends at"), null=True, blank=True)
    due = models.DateTimeField(_("next step due"), null=True, blank=True)
    paused_at = models.DateTimeField(_("paused at"), null=True, blank=True)
    outage = models.PositiveIntegerField(_("outage"), default=0)
    created_at = models.DateTimeField(_("created at"), auto_now_add=True)
    started_at = models.DateTimeField(_("started at"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended at"), null=True, blank=True)

    class Meta:
        ordering = ["pk"]
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        indexes = [
            models.Index(fields=["due"], name="match_due", condition=Q(due__isnull=False)),
            models.Index(
                fields=["ended_at"], name="match_ended", condition=Q(ended_at__isnull=False)
            ),
        ]
        constraints = [
            models.CheckConstraint(
                name="match_ended_when_over",
                condition=Q(phase="over", ended__gt="") | (~Q(phase="over") & Q(ended="")),
            ),
            models.CheckConstraint(
                name="match_due_only_while_played",
                condition=Q(due__isnull=True) | Q(phase__in=["playing", "between"]),
            ),
        ]

    def __str__(self) -> str:
        return self.heading or gettext("Match {number}").format(number=self.pk)

    def get_absolute_url(self) -> str:
        return reverse("games:table", args=[self.public_id])

    @property
    def heading(self) -> str:
        """The heading of the table, or "" if the match has no title."""
        if self.practice:
            return gettext("Practice")
        return self.occasion.label if self.occasion else self.title

    @property
    def start(self) -> list[int]:
        """The points of each seat from the hands `before`, or [] if there are none."""
        return [sum(points) for points in zip(*self.before, strict=True)]

    @property
    def desk_topic(self) -> str:
        """The topic for news between the table and the event's desk."""
        return f"desk:{self.pk}"

    @property
    def paused(self) -> bool:
        return self.paused_at is not None


class Seat(models.Model):
    """A seat in a match, held by a person, a `guest`, a bot, or no one.

    The table acts for a seat without a holder.

    * `here`: the key of the process that serves the player's open socket, or "" if no socket is
      open.
    * `seen_at`: for a player who has left, when a socket was last known to be open.
    * `controller`: the key of the player's socket that connected or acted last. It begins with
      the key of its process.
    * `look`: the avatar of the account when it took the seat (games.protocol.faces).
    * `extra_seconds`: added to every turn.
    * `sitters`: the successive holders of the seat, if there was more than one.
    """

    personal = Personal(
        scrubbed="name sitters",
        free={"keys of browsers and windows": "guest here controller", "codes": "bot look"},
        purposes=(
            Purpose(
                "name look sitters number extra_seconds seen_at",
                Topic.GAMES,
                _(
                    "Your seat, your name and avatar at the table, and when you last had the table "
                    "open"
                ),
                _("To deal you your cards, show who is playing and wait for players who are away."),
                ColumnAudience.TABLE,
                Retention.GAME,
            ),
        ),
        whose="user",
        # Players choose their own avatars, so they are reset together with the name.
        redaction_values={"look": ""},
    )

    match = models.ForeignKey(Match, models.CASCADE, verbose_name=_("match"), related_name="seats")
    number: "models.Field[SeatNumber, SeatNumber]" = models.PositiveSmallIntegerField(_("number"))
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.SET_NULL,
        verbose_name=_("user"),
        related_name="+",
        null=True,
        blank=True,
    )
    guest = models.CharField(_("guest"), max_length=32, blank=True, editable=False)
    name = models.CharField(_("name"), max_length=40)
    bot = models.CharField(_("bot"), max_length=20, blank=True)
    look = models.CharField(_("avatar"), max_length=24, blank=True, default="", db_default="")
    extra_seconds = models.PositiveSmallIntegerField(_("extra seconds per turn"), default=0)
    seen_at = models.DateTimeField(_("last seen at"), null=True, blank=True)
    here = models.CharField(_("here"), max_length=8, blank=True, db_index=True, editable=False)
    controller = models.CharField(_("controlling window"), max_length=16, blank=True)
    sitters: "models.Field[Sitters, Sitters]" = ValueField(Sitters, _("previous players"))

    class Meta:
        verbose_name = _("seat")
        verbose_name_plural = _("seats")
        ordering = ["match", "number"]
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="match_seat_once"),
            models.UniqueConstraint(fields=["match", "user"], name="match_user_once"),
            models.CheckConstraint(
                name="seat_held_by_one",
                condition=Q(bot="", guest="") | Q(user=None) & (Q(bot="") | Q(guest="")),
            ),
        ]
        indexes = [models.Index(fields=["guest"], name="seat_guest", condition=~Q(guest=""))]

    def __str__(self) -> str:
        return self.name

    @property
    def holder(self) -> Holder | None:
        return self.user_id or self.guest or None

    @property
    def said(self) -> str:
        """The name, isolated so that its writing direction does not change a sentence."""
        return isolate(self.name)

    def player_name(self, hand: int, after: int) -> str:
        """Return the name of the player who held the seat after `after` actions of this hand."""
        sitter = self.sitters.find_at(hand, after) if self.sitters else None
        return sitter.name if sitter else self.name


class Hand(models.Model):
    """A hand, stored with the server's commitment before it is dealt.

    Until it is dealt, `dealt_at` is null and `deck` is empty. If the dealer has yet to be drawn,
    `dealer` is null.

    * `players`: the seats of the match that were dealt in.
    * `dealer`: a seat of the match.
    * `points`: the points scored, by seat.
    * `left`: the points of the cards left in hand, by seat.
    * `deals`: the attempts to deal the hand, with secrets that must not reach a player too early.
    * `commitment`: the server's commitment in the newest attempt.
    * `nonce`: opens the commitment of an old hand, which was shuffled in advance and has no
      attempts.
    * `opening`: the chance and events of the deal.
    * `void`: true if the hand had to be dealt again. It remains stored.
    """

    personal = Personal(
        scrubbed="void_reason",
        reasons="void_reason",
        free={
            "cards, seats and points": "players deals deck opening points left final",
            "keys of the deal": "nonce commitment",
        },
        purposes=(
            Purpose(
                "void_reason",
                Topic.GAMES,
                _("Why a hand didn’t count"),
                _("To let everyone at the table know."),
                ColumnAudience.TABLE,
                Retention.GAME,
            ),
        ),
    )

    match = models.ForeignKey(Match, models.CASCADE, verbose_name=_("match"), related_name="hands")
    number = models.PositiveSmallIntegerField(_("number"))
    players: "models.Field[list[SeatNumber], list[SeatNumber]]" = models.JSONField(_("players"))
    dealer: "models.Field[SeatNumber | None, SeatNumber | None]" = models.PositiveSmallIntegerField(
        _("dealer"), null=True, blank=True
    )
    deals: "models.Field[Deals, Deals]" = ValueField(Deals, _("deals"))
    deck: "models.Field[list[str], list[str]]" = models.JSONField(
        _("deck"), default=list, blank=True
    )
    nonce = models.CharField(_("nonce"), max_length=64, blank=True)
    commitment = models.CharField(_("commitment"), max_length=64)
    opening: "models.Field[StoredOpening, StoredOpening]" = SharedKeysField(
        _("opening"), default=dict
    )
    points: "models.Field[list[int] | None, list[int] | None]" = models.JSONField(
        _("points"), null=True, blank=True
    )
    left: "models.Field[list[int] | None, list[int] | None]" = models.JSONField(
        _("points left in hand"), null=True, blank=True
    )
    winner: "models.Field[SeatNumber | None, SeatNumber | None]" = models.PositiveSmallIntegerField(
        _("winner"), null=True, blank=True
    )
    final: "models.Field[RulesJson | None, RulesJson | None]" = models.JSONField(
        _("final"), null=True, blank=True
    )
    void = models.BooleanField(_("void"), default=False)
    void_reason = models.CharField(_("reason for voiding"), max_length=300, blank=True)
    dealt_at = models.DateTimeField(_("dealt at"), null=True, blank=True)
    ended_at = models.DateTimeField(_("ended at"), null=True, blank=True)

    class Meta:
        verbose_name = _("hand")
        verbose_name_plural = _("hands")
        ordering = ["match", "number"]
        constraints = [
            models.UniqueConstraint(fields=["match", "number"], name="match_hand_once"),
            models.CheckConstraint(
                name="hand_points_when_ended",
                condition=Q(points__isnull=True) | Q(ended_at__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return gettext("{match}, hand {number}").format(match=self.match, number=self.number)

    @property
    def dealing(self) -> SeatNumber:
        """The dealer's seat. Available only once the hand has been dealt."""
        assert self.dealer is not None
        return self.dealer
