"""Results entered by hand: of tables with physical cards, and corrections. Nothing is lost."""

from collections.abc import Sequence

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games import services as games
from games.models import Match
from games.rules.rulesets import RuleSet
from games.rules.scoring import most_points
from tournament.models import Event, Result, Round, Table, User
from tournament.queries import results as read
from tournament.services.audit import record
from tournament.services.errors import Refused, refused_by_play
from tournament.services.language import of_the_site
from tournament.services.locks import lock_event
from tournament.services.rounds import start_table
from tournament.services.seatings import members_of, reseat

State = Result.State


@transaction.atomic
def set_paper(table: Table, actor: User, paper: bool, reason: str = "") -> Table:
    """Let a table play with physical cards, or with the site again.

    Bots leave a table with physical cards. A match that has begun is abandoned with `reason`: its
    points do not count any more. Back on the site, a table of a running round gets a new match.
    Refused with: state, same, result, waiting, over.
    """
    event = lock_event(table.round.stage.event)
    table.refresh_from_db()
    if table.round.state == "closed":
        raise Refused("state", _("{round} is closed.").format(round=table.round))
    if table.paper == paper:
        raise Refused("same", _plays_so(paper).format(table=table))
    _check_without_result(table)
    if table.match and table.match.phase != Match.Phase.OVER:
        with refused_by_play():
            games.abandon_match(table.match, reason or _no_site())
    table.paper = paper
    table.save(update_fields=["paper"])
    reseat(table, members_of(table))
    if not paper and table.round.state == Round.State.RUNNING:
        start_table(event, table)
    record(event, actor, "paper", lambda: _plays(table), reason, table=table.pk)
    return table


def _plays_so(paper: bool) -> str:
    if paper:
        return _("{table} plays with physical cards already.")
    return _("{table} plays on the site already.")


def _plays(table: Table) -> str:
    if table.paper:
        return _("{table} plays with physical cards.").format(table=table)
    return _("{table} plays on the site.").format(table=table)


def _no_site() -> str:
    """Why a match is abandoned; its players read it."""
    with of_the_site():
        return _("The table plays with physical cards.")


def _check_without_result(table: Table) -> None:
    """Refuse where points would lose the seats that they belong to."""
    if read.standing_result(table):
        text = _("{table} has a result already; correct it instead.")
        raise Refused("result", text.format(table=table))
    if read.waiting_result(table):
        text = _("Points of {table} wait for a second organizer: take them back first.")
        raise Refused("waiting", text.format(table=table))
    match = table.match
    if match and match.phase == Match.Phase.OVER and match.ended != Match.Ended.ABANDONED:
        text = _("The match of {table} is over: correct its points instead.")
        raise Refused("over", text.format(table=table))


@transaction.atomic
def enter_result(table: Table, actor: User, points: Sequence[int], reason: str = "") -> Result:
    """Enter a table's points by seat, or correct what stands; a correction needs a reason.

    It counts at once, or after `confirm_result` where the event wants a second organizer.
    Refused with: state, playing, no-reason, impossible, same.
    """
    event = lock_event(table.round.stage.event)
    found = check_entry(table, points, reason)
    table.results.filter(state=State.ENTERED).update(state=State.UNDONE)
    state = State.ENTERED if event.two_person_results else State.CONFIRMED
    result = table.results.create(
        points=list(points), reason=reason.strip(), state=state, entered_by=actor
    )
    _record_entry(event, actor, result, found)
    return result


def check_entry(table: Table, points: Sequence[int], reason: str) -> read.TableResult:
    """What stands now, if these points may take its place; refused as `enter_result`."""
    event = table.round.stage.event
    table = read.tables_of(table.round).get(pk=table.pk)
    rules = read.rules_of(event)
    found = read.table_result(table, rules)
    _check_open(table, found)
    _check_new(table, found, list(points))
    if (found.final or not table.paper) and not reason.strip():
        text = _("Please say why the points are changed; the reason is kept.")
        raise Refused("no-reason", text)
    if problem := impossible(rules, event, len(found.seats), points):
        raise Refused("impossible", problem)
    return found


def _check_open(table: Table, found: read.TableResult) -> None:
    if table.round.state in ("draft", "published"):
        raise Refused("state", _("{round} has not started yet.").format(round=table.round))
    if table.match and not found.final and table.match.phase != Match.Phase.OVER:
        text = _("{table} is still playing on the site. Let it end, or abandon it first.")
        raise Refused("playing", text.format(table=table))


def _check_new(table: Table, found: read.TableResult, points: list[int]) -> None:
    """Refuse what has been entered already: somebody clicked twice."""
    if found.final and points == found.points:
        raise Refused("same", _("These are the points that stand already."))
    waiting = read.waiting_result(table)
    if waiting and points == waiting.points:
        text = _("These points are entered already; a second organizer confirms them.")
        raise Refused("same", text)


def impossible(rules: RuleSet, event: Event, seats: int, points: Sequence[int]) -> str:
    """Why these points cannot be the result of a match, "" if they can."""
    if len(points) != seats:
        text = ngettext(
            "The table has {seats} seat; there are points for {count}.",
            "The table has {seats} seats; there are points for {count}.",
            seats,
        )
        return text.format(seats=seats, count=len(points))
    if any(p < 0 for p in points):
        return _("Points cannot be negative.")
    most = most_points(rules)
    if too_many := [p for p in points if p > most]:
        text = _("{points} are too many: no match brings anybody more than {most} points.")
        return text.format(points=too_many[0], most=most)
    limited = bool(event.hand_limit or event.round_minutes)
    if not any(points):
        return "" if limited else _("Somebody must have points.")
    return _off_target(rules, points, limited).format(target=rules.target)


def _off_target(rules: RuleSet, points: Sequence[int], limited: bool) -> str:
    """Why a match to the `target` does not end so, "" if it may."""
    reached = [p for p in points if p >= rules.target]
    if not reached and not limited:
        return _("Nobody has reached the target of {target} points, and there is no limit.")
    if rules.scoring == "winner-takes" and not rules.partners and len(reached) > 1:
        return _("Only one player can have reached the target of {target} points.")
    if rules.scoring != "winner-takes" and len(reached) == len(points):
        return _("Somebody must have stayed under the target of {target} points.")
    return ""


def _record_entry(event: Event, actor: User, result: Result, before: read.TableResult) -> None:
    action = "correct" if before.final else "enter"

    def text() -> str:
        told = _("Entered {table}: {points}.")
        if before.final:
            told = _("Corrected {table}: {points} (before: {before}).")
        points = {"points": _list(result.points), "before": _list(before.points)}
        return told.format(table=result.table, **points)

    record(event, actor, action, text, result.reason, result=result.pk, before=before.points)


def _list(points: Sequence[int]) -> str:
    return ", ".join(map(str, points))


@transaction.atomic
def confirm_result(result: Result, actor: User) -> Result:
    """Let an entered result count. Refused with: state, same-person."""
    event = lock_event(result.table.round.stage.event)
    result.refresh_from_db()
    if result.state != State.ENTERED:
        text = _("This result {state} already.")
        raise Refused("state", text.format(state=result.get_state_display()))
    if result.entered_by_id == actor.pk:
        raise Refused("same-person", _("Somebody else than who entered the result confirms it."))
    result.state, result.confirmed_by = State.CONFIRMED, actor
    result.save()

    def told() -> str:
        return _("Confirmed {result}.").format(result=result)

    record(event, actor, "confirm", told, result=result.pk)
    return result


@transaction.atomic
def undo_result(result: Result, actor: User, reason: str) -> Result:
    """Take back the latest entry of a table: what stood before it counts again.

    Refused with: no-reason, state, not-latest.
    """
    event = lock_event(result.table.round.stage.event)
    result.refresh_from_db()
    if not reason.strip():
        raise Refused("no-reason", _("Please say why the entry is taken back."))
    if result.state == State.UNDONE:
        raise Refused("state", _("This entry has been taken back already."))
    later = result.table.results.filter(pk__gt=result.pk).exclude(state=State.UNDONE)
    if later.exists():
        raise Refused("not-latest", _("Take back the later entry first."))
    result.state = State.UNDONE
    result.save(update_fields=["state"])

    def text() -> str:
        return _("Took back {result}.").format(result=result)

    record(event, actor, "undo", text, reason, result=result.pk)
    return result
