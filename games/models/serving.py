"""What the processes that serve know of each other, and what they measure."""

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.models.personal import Personal
from games.models.play import Seat


class Beat(models.Model):
    """A process that serves, and when it last beat: by the database's clock and by its machine's.

    `steady` is a clock of the machine that nobody can set; machines are told apart by their boots.
    Of a `dead` one the others know that it beats no longer. `lost_since`: since when its players
    are waited for, until all of their matches know that.
    """

    personal = Personal(free={"the site's own": "process machine"})

    process = models.CharField(_("process"), max_length=16, unique=True)
    machine = models.CharField(_("machine"), max_length=40)
    at = models.DateTimeField(_("at"))
    wall = models.DateTimeField(_("wall clock"))
    steady = models.FloatField(_("steady clock"))
    dead = models.BooleanField(_("dead"), default=False)
    lost_since = models.DateTimeField(_("players lost since"), null=True, blank=True)

    class Meta:
        verbose_name = _("beat")
        verbose_name_plural = _("beats")
        ordering = ["-at"]

    def __str__(self) -> str:
        return self.process


class Outage(models.Model):
    """Seconds that no player is to lose: nobody beat (`away`), or the clock was set (`step`).

    `after` is the last beat before it, by the database's clock, so it is found once; `began` is
    the same moment by the wall clock. `settled`: all matches have been given its time.
    """

    after = models.DateTimeField(_("after"), unique=True)
    began = models.DateTimeField(_("began"))
    away = models.FloatField(_("away"), default=0.0)
    step = models.FloatField(_("step"), default=0.0)
    settled = models.BooleanField(_("settled"), default=False)

    class Meta:
        verbose_name = _("outage")
        verbose_name_plural = _("outages")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.began:%Y-%m-%d %H:%M:%S}"


class RoundTrip(models.Model):
    """What a seat's line took, in ms: the smallest round trips of some seconds, as a race counts.

    `echo` is what the page answered, `ping` what the browser answered by itself.
    """

    seat = models.ForeignKey(Seat, models.CASCADE, verbose_name=_("seat"), related_name="trips")
    at = models.DateTimeField(_("at"))
    echo = models.PositiveIntegerField(_("echo"), null=True)
    ping = models.PositiveIntegerField(_("ping"), null=True)

    class Meta:
        verbose_name = _("round trip")
        verbose_name_plural = _("round trips")
        ordering = ["seat", "at"]

    def __str__(self) -> str:
        return f"{self.seat}: {self.echo}, {self.ping}"
