"""Heartbeats and measurements of the serving processes, and the outages that they found."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from django.db import models
from django.utils.translation import gettext_lazy as _

from games.json_values.codec import JsonValue
from games.json_values.field import ValueField
from games.models.personal import ColumnAudience, Personal, Purpose, Retention, Topic
from games.models.play import Match, Seat


class Beat(models.Model):
    """Last heartbeat of a serving process, by the clocks of its machine and of the database.

    * `steady`: a clock of the machine that cannot be set.
    * `machine`: changes when the machine reboots.
    * `dead`: true if another process has noticed that this one no longer sends beats.
    * `lost_since`: when the players of a dead process were cut off. It is null again once all
      their matches have been given extra time.
    """

    personal = Personal(free={"the site's own": "process machine"})

    process = models.CharField(_("process"), max_length=16, unique=True)
    machine = models.CharField(_("machine"), max_length=40)
    at = models.DateTimeField(_("at"))
    wall = models.DateTimeField(_("wall clock"))
    steady = models.FloatField(_("monotonic clock"))
    dead = models.BooleanField(_("dead"), default=False)
    lost_since = models.DateTimeField(_("players disconnected since"), null=True, blank=True)

    class Meta:
        verbose_name = _("heartbeat")
        verbose_name_plural = _("heartbeats")
        ordering = ["-at"]

    def __str__(self) -> str:
        return self.process


class ViewerCount(models.Model):
    """Number of people without a seat who watch a match through one serving process."""

    # With a constraint, an old beat could not be deleted while its process, which is only cut off,
    # still counts viewers.
    process = models.ForeignKey(
        Beat,
        models.CASCADE,
        verbose_name=_("process"),
        to_field="process",
        db_constraint=False,
        related_name="+",
    )
    match = models.ForeignKey(
        Match, models.CASCADE, verbose_name=_("match"), related_name="viewer_counts"
    )
    number = models.PositiveIntegerField(_("viewers"))

    class Meta:
        verbose_name = _("number of viewers")
        verbose_name_plural = _("numbers of viewers")
        ordering = ["match", "process"]
        constraints = (
            models.UniqueConstraint(fields=["process", "match"], name="viewers_counted_once"),
        )

    def __str__(self) -> str:
        return f"{self.match_id}: {self.number}"


class Outage(models.Model):
    """Time lost to a failure of the site or a change of its clock, to be restored to players.

    * `after`: the last beat before the outage, by the clock of the database. It is unique, so that
      each outage is recorded only once.
    * `began`: the same moment by the wall clock.
    * `away`: the number of seconds in which no process sent a beat.
    * `step`: the number of seconds by which the clock was set.
    * `settled`: true if the time has been restored to all matches.
    """

    after = models.DateTimeField(_("last heartbeat"), unique=True)
    began = models.DateTimeField(_("started"))
    away = models.FloatField(_("away"), default=0.0)
    step = models.FloatField(_("clock change"), default=0.0)
    settled = models.BooleanField(_("settled"), default=False)

    class Meta:
        verbose_name = _("outage")
        verbose_name_plural = _("outages")
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.began:%Y-%m-%d %H:%M:%S}"


class RoundTrip(models.Model):
    """Shortest round trips of a seat's connection within a few seconds, in milliseconds.

    `echo` was answered by the page's script, and `ping` by the browser itself.
    """

    personal = Personal(
        purposes=(
            Purpose(
                "at echo ping",
                Topic.GAMES,
                _("How fast your connection was"),
                _("So that no one loses time or a UNO call to a slow connection."),
                ColumnAudience.ORGANIZERS,
                Retention.GAME,
            ),
        ),
        whose="seat__user",
    )

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


@dataclass(frozen=True)
class SampledFigures(JsonValue):
    """Figures of /metrics for an interval, keyed by name and labels.

    * `counts`: the increases of counters, without zeros.
    * `levels`: the values of gauges at the end of the interval.
    """

    counts: Mapping[str, float] = field(default_factory=dict)
    levels: Mapping[str, float] = field(default_factory=dict)


class Sample(models.Model):
    """Measurements of one process since its previous sample, kept for some hours."""

    personal = Personal(free={"the site's own": "process figures"})

    process = models.CharField(_("process"), max_length=16)
    at = models.DateTimeField(_("at"), db_index=True)
    figures = ValueField(SampledFigures, _("measurements"))

    class Meta:
        verbose_name = _("sample")
        verbose_name_plural = _("samples")
        ordering = ["at"]

    def __str__(self) -> str:
        return f"{self.process}: {self.at:%Y-%m-%d %H:%M}"
