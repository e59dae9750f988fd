"""Log of the actions in a hand, from which the match can be reconstructed."""

from typing import Any

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.json_values.field import SharedKeysField, ValueField
from games.json_values.race import Timing
from games.models.personal import ColumnAudience, Personal, Purpose, Retention, Topic
from games.models.play import Hand
from games.rules.actions.actions import VERBS
from games.rules.actions.moves import Move
from games.rules.hand.events import Event
from games.seats import PlayerIndex


class LoggedAction(models.Model):
    """An action in a hand.

    * `player`: the number of the player in the hand. `action` and `events` use these numbers too.
    * `version`: the version of the match after the action.
    * `auto`: "" if the player acted, "bot" for a bot, "timeout" or "away" for the table.
    * `chance`: the random results used, in order.
    * `timing`: the measured times of calls and catches in a race.
    """

    personal = Personal(
        free={"cards, seats and moments": "action events chance timing", "a key": "client_id"},
        purposes=(
            Purpose(
                "action timing at",
                Topic.GAMES,
                _(
                    "Every move you made, when you made it and how long you took, as part of the "
                    "hand records"
                ),
                _("To decide who acted first, show replays and prove that deals were fair."),
                ColumnAudience.TABLE,
                Retention.GAME,
            ),
        ),
    )

    class AutomaticAction(models.TextChoices):
        BOT = "bot", _("bot")
        TIMEOUT = "timeout", _("timeout")
        AWAY = "away", _("away")

    hand = models.ForeignKey(Hand, models.CASCADE, verbose_name=_("hand"), related_name="actions")
    number = models.PositiveSmallIntegerField(_("number"))
    player: "models.Field[PlayerIndex, PlayerIndex]" = models.PositiveSmallIntegerField(_("player"))
    version = models.PositiveIntegerField(_("version"))
    client_id = models.CharField(_("client ID"), max_length=64, blank=True)
    action: "models.Field[Move, Move]" = SharedKeysField(_("action"))
    auto = models.CharField(
        _("automatic"), max_length=10, choices=AutomaticAction.choices, blank=True
    )
    events: "models.Field[list[Event], list[Event]]" = SharedKeysField(_("events"))
    chance: "models.Field[list[Any], list[Any]]" = SharedKeysField(
        _("random results"), default=list
    )
    timing: "models.Field[Timing, Timing]" = ValueField(Timing, _("timing"))
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("action")
        verbose_name_plural = _("actions")
        ordering = ["hand", "number"]
        constraints = [
            models.UniqueConstraint(fields=["hand", "number"], name="action_once"),
            models.UniqueConstraint(
                fields=["hand", "player", "client_id"],
                name="action_client_id_once",
                condition=~Q(client_id=""),
            ),
        ]

    def __str__(self) -> str:
        return gettext("{hand}, action {number}").format(hand=self.hand, number=self.number)

    @property
    def verb(self) -> str:
        """Verb of the action, one of games.rules.actions.actions.VERBS."""
        return next(verb for verb in VERBS if verb in self.action)
