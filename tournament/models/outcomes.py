"""What an event gives to who is late, leaves a seat or is put out, and who tells results of paper:
choices of its settings.
"""

from django.db import models
from django.utils.translation import gettext_lazy as _


class Forfeits(models.TextChoices):
    NOTHING = "nothing", _("nothing: no points, and the last place")
    KEPT = "kept", _("the points of the hands before, and the last place")


class Disqualified(models.TextChoices):
    STAND = "stand", _("stay as they were played")
    LAST = "last", _("count as if they had forfeited")


class Substitutes(models.TextChoices):
    PLAYER = "player", _("for the player in whose place they sit")
    THEMSELVES = "themselves", _("for themselves, with what the seat had")


class Missed(models.TextChoices):
    NOTHING = "nothing", _("nothing: it is not counted")
    LOSS = "loss", _("a match without points")
    AVERAGE = "average", _("the average of the player’s own matches")


class PlayersEnter(models.TextChoices):
    NOBODY = "nobody", _("no: the desk enters them")
    ONE = "one", _("yes, and one other player of the table confirms")
    ALL = "all", _("yes, and all others at the table confirm")
