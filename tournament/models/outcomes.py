"""Event settings that decide how results count, and who enters the points at paper tables.

They cover forfeits, disqualification, substitutes, missed rounds and points entered by players.
"""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Forfeits(models.TextChoices):
    NOTHING = "nothing", _("no points and last place")
    KEPT = "kept", _("the points from earlier hands and last place")


class Disqualified(models.TextChoices):
    STAND = "stand", _("count as played")
    LAST = "last", _("count as forfeits")


class Substitutes(models.TextChoices):
    PLAYER = "player", _("for the player they replace")
    THEMSELVES = "themselves", _("for themselves, taking over the seat’s points")


class MissedRounds(models.TextChoices):
    NOTHING = "nothing", _("not played")
    LOSS = "loss", _("a lost match")
    AVERAGE = "average", _("the player’s average points per match")


class PlayersEnter(models.TextChoices):
    NOBODY = "nobody", _("no, the desk enters them")
    ONE = "one", _("yes, confirmed by one other player at the table")
    ALL = "all", _("yes, confirmed by everyone else at the table")
