"""Filters for an event's activity log, and the changed values in its entries."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db.models import Q, QuerySet

from tournament.models import AuditEntry, Event, Registration, Round, Table, User
from tournament.oversight.changes import ChangedField
from tournament.pure.chain import Facts

# Keys in an entry's data whose values are lists of registrations.
PLAYERS = ("players", "order", "through", "winners", "registrations", "in", "out")


@dataclass(frozen=True)
class LogFilter:
    """Filters for the activity log. Empty filters have no effect.

    * `person`: the key of the actor's account, or "site" for actions of the site.
    * `part`: the round or table that an entry mentions.
    * `player`: the player whom an entry mentions.
    * `words`: a part of the text or reason.
    """

    person: str = ""
    action: str = ""
    part: Round | Table | None = None
    player: Registration | None = None
    since: datetime | None = None
    until: datetime | None = None
    words: str = ""


def select_entries(event: Event, log_filter: LogFilter) -> QuerySet[AuditEntry]:
    """Return the matching log entries, newest first."""
    rows = event.audit.select_related("actor").order_by("-pk").filter(_make_condition(log_filter))
    if log_filter.part is None and log_filter.player is None:
        return rows
    data = rows.order_by().values_list("pk", "data")
    matching = [pk for pk, facts in data if mentions(facts, log_filter.part, log_filter.player)]
    return rows.filter(pk__in=matching)


def _make_condition(log_filter: LogFilter) -> Q:
    condition = Q()
    if log_filter.person:
        condition &= Q(actor=log_filter.person) if log_filter.person.isdecimal() else Q(actor=None)
    if log_filter.action:
        condition &= Q(action=log_filter.action)
    if log_filter.since:
        condition &= Q(at__gte=log_filter.since)
    if log_filter.until:
        condition &= Q(at__lt=log_filter.until)
    if log_filter.words:
        condition &= Q(text__icontains=log_filter.words) | Q(reason__icontains=log_filter.words)
    return condition


def mentions(facts: Facts, part: Round | Table | None, player: Registration | None) -> bool:
    """Return whether the facts of an entry mention this round or table, and this player.

    A part or player of None matches every entry.
    """
    named = part is None or (
        mentions_round(facts, part) if isinstance(part, Round) else _mentions_table(facts, part)
    )
    return named and (player is None or _mentions_player(facts, player))


def mentions_round(facts: Facts, round_: Round) -> bool:
    """Return whether the facts of an entry mention the round.

    If the facts name a stage, they name the round by number, otherwise by key.
    """
    if "stage" in facts:
        number, final = facts.get("round"), facts.get("final", False)
        where = (facts["stage"], number, final)
        return where == (round_.stage.number, round_.number, round_.is_final)
    return facts.get("round") == round_.pk


def _mentions_table(facts: Facts, table: Table) -> bool:
    if "stage" in facts or "round" in facts:
        return mentions_round(facts, table.round) and facts.get("table") == table.number
    return facts.get("table") == table.pk


def _mentions_player(facts: Facts, player: Registration) -> bool:
    listed = [facts[key] for key in PLAYERS if isinstance(facts.get(key), list)]
    return facts.get("registration") == player.pk or any(player.pk in each for each in listed)


def list_actors(event: Event) -> list[tuple[str, str]]:
    """Return the keys and names of the people in the event's log, by name."""
    users = User.objects.filter(pk__in=event.audit.values("actor")).order_by("display_name")
    return [(str(user.pk), str(user)) for user in users]


def list_actions(event: Event) -> list[str]:
    """Return the actions that occur in the event's log."""
    return sorted(event.audit.order_by().values_list("action", flat=True).distinct())


def list_rounds_and_tables(event: Event) -> list[Round | Table]:
    """Return the event's rounds, each followed by its tables."""
    rounds = Round.objects.filter(stage__event=event).select_related("stage")
    rounds = rounds.prefetch_related("tables__round").order_by("stage__number", "number")
    rounds_and_tables: list[Round | Table] = []
    for played in rounds:
        rounds_and_tables += [played, *played.tables.all()]
    return rounds_and_tables


def list_changed_fields(facts: Mapping[str, object], points: str) -> list[ChangedField]:
    """Return the changed fields that an entry recorded, with the values before and after.

    `points` is the field name to use for points.
    """
    stored = facts.get("changes")
    changes: list[ChangedField] = list(stored) if isinstance(stored, list) else []
    before, after = facts.get("before"), facts.get("points")
    if isinstance(before, list) and isinstance(after, list):
        changes.append(
            ChangedField(field=points, before=_format_points(before), after=_format_points(after))
        )
    return changes


def _format_points(points: list[object]) -> str:
    return ", ".join(map(str, points))
