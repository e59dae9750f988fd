"""Drawing, publishing and withdrawing the seats of a round."""

from collections.abc import Collection, Sequence
from dataclasses import replace
from functools import partial

from django.db import transaction
from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from games.rules.ruleset.rulesets import RuleSet
from tournament.common.language import translate_later, use_site_language
from tournament.common.locks import lock_event
from tournament.common.refusals import RefusedError, check_reason
from tournament.common.round_names import next_ordinal
from tournament.models import (
    Draw,
    Event,
    LogAction,
    Registration,
    Round,
    Stage,
    Table,
    TableSeat,
    User,
)
from tournament.oversight.audit import identify_place, record
from tournament.oversight.conflicts import (
    check_round_state,
    describe_round_change,
    describe_stage_change,
)
from tournament.oversight.second_person import check_no_pending_reopening, check_players_settled
from tournament.pure import arrangement
from tournament.pure.arrangement.partners import partner_rounds, update_rotation
from tournament.pure.codes import Code
from tournament.results.queries import event_of, rules_of
from tournament.seating import draws
from tournament.seating.left_out import check_left_out_confirmed
from tournament.seating.queries import (
    build_problem,
    compute_version,
    find_turn,
    list_issues_to_explain,
    list_seated,
    prefetch_sitters,
    review_seats,
)
from tournament.stages.outdated_draws import check_nothing_outdated

BOT = "plain"


def seat_round(
    stage: Stage,
    actor: User,
    reason: str = "",
    *,
    seen: str | None = None,
    without: Collection[int] = (),
) -> Round:
    """Draw the stage's next round as a draft, or draw its draft again.

    * `reason`: required if a draft exists.
    * `seen`: the version of the seats that the organizer has seen. See `check_seen`.
    * `without`: the keys of the players whom the organizer has agreed to leave out.

    The key of the draw follows from the stage's key, the number of the draw and its input, so no
    one can choose it. Drawing takes time, so the event is locked only afterwards. If the input has
    changed by then, the draw is refused. Raises RefusedError with the code `not-open`,
    `open-round`, `published`, `no-reason`, `few`, `no-seating`, `changed` or `left-out`.
    """
    number = _find_next_round_number(stage)
    check_seen(stage, number, seen)
    draws.check_reason(stage, number, reason)
    seating_problem = build_problem(stage, number)
    check_left_out_confirmed(stage, number, without)
    draw = draws.prepare_draw(stage, number, seating_problem)
    tables, details = _draw_seats(stage, number, seating_problem, draws.key_of(draw))
    with transaction.atomic():
        event = lock_event(stage.event, stage)
        if _find_next_round_number(stage) != number or _is_draw_outdated(draw):
            text = _("Something changed while the seats were being drawn. Draw again.")
            raise RefusedError(Code.CHANGED, text)
        check_seen(stage, number, seen)
        draws.record_discarded_draws(event, actor, stage.rounds.filter(number=number), reason)
        played = store_draft(stage, number, tables, details)
        _store_turn_count(stage, details.order)
        _record_draw(event, actor, played, draw)
    return played


def _store_turn_count(stage: Stage, order: Sequence[int]) -> None:
    """Store the number of rounds in a rotation of partners. It depends on the players.

    The caller must have locked the event.
    """
    if order:
        stage.rounds_planned = len(partner_rounds(order))
        stage.save(update_fields=["rounds_planned"])


def _is_draw_outdated(draw: Draw) -> bool:
    """Return whether the draw's number or input is no longer current."""
    stage, number = draw.stage, draw.round_number
    current = draws.prepare_draw(stage, number, build_problem(stage, number))
    return (current.number, current.digest) != (draw.number, draw.digest)


def _record_draw(event: Event, actor: User, round_: Round, draw: Draw) -> None:
    """Record a draw. Rotating partners are not drawn, so they have no draw number."""
    data: dict[str, object] = dict(identify_place(round_))
    if round_.seating.key:
        draw.save(force_insert=True)
        data |= {"draw": draw.number, "digest": draw.digest}
    describe = partial(_describe_draw, round_, round_.tables.count())
    record(event, actor, LogAction.SEAT, describe, "", **data)


def _describe_draw(round_: Round, tables: int) -> str:
    text = ngettext(
        "Drew the seats for {round}: {count} table.",
        "Drew the seats for {round}: {count} tables.",
        tables,
    )
    return text.format(round=round_, count=tables)


def check_seen(stage: Stage, number: int, seen: str | None) -> None:
    """Check that the seats are still those that the organizer has seen.

    `seen` is a result of `compute_version`, or None. The check also refuses the second of two
    clicks, because a repeated swap would undo the first one. The caller must have locked the event.
    """
    if seen is None or seen == compute_version(stage, number):
        return
    drawn = stage.rounds.filter(number=number).first()
    if drawn and seen == f"{number}:":
        raise RefusedError(Code.CHANGED, f"{describe_round_change(drawn)} {_('Look at it first.')}")
    raise RefusedError(
        Code.CHANGED,
        _("The seats have changed since you opened this page. Review them, then try again."),
    )


def _draw_seats(
    stage: Stage, number: int, problem: arrangement.SeatingProblem, key: str
) -> tuple[arrangement.Tables, arrangement.RoundSeating]:
    if len(problem.players) < 2:
        raise RefusedError(Code.FEW, _describe_too_few_players(stage.event))
    try:
        if stage.rotation:
            order = rotation_order(stage, number, problem.ids)
            tables = _find_tables_of_turn(order, find_turn(stage, number))
            playing = {player for table in tables for player in table}
            byes = tuple(player for player in order if player not in playing)
            return tables, arrangement.RoundSeating(order=order, byes=byes)
        drawn = arrangement.seat_round(problem, key)
    except arrangement.SeatingError as error:
        raise RefusedError(Code.NO_SEATING, str(error)) from error
    return drawn.tables, drawn.as_stored()


def _describe_too_few_players(event: Event) -> str:
    if event.asks_presence:
        return _("At least two players must have checked in before seats can be drawn.")
    return _("At least two players must have a spot before seats can be drawn.")


def _find_tables_of_turn(order: Sequence[int], turn: int) -> arrangement.Tables:
    """Return the tables of a rotation for this turn. Turns count from 1.

    After the last turn, the rotation starts again.
    """
    turns = partner_rounds(order)
    return turns[(turn - 1) % len(turns)]


def rotation_order(stage: Stage, number: int, players: Sequence[int]) -> tuple[int, ...]:
    """Return the order in which partners rotate.

    This is the order of the previous round, with substitutes in place of the original players.
    """
    last = stage.rounds.filter(number=number - 1).first()
    if last is None or not last.seating.order:
        return tuple(players)
    order = last.seating.order
    drawn_tables, actual_tables = (
        _find_tables_of_turn(order, find_turn(stage, last.number)),
        list_seated(last),
    )
    chairs = (
        zip(drawn_tables, actual_tables, strict=False)
        if list(map(len, drawn_tables)) == list(map(len, actual_tables))
        else ()
    )
    sat_for = {
        original: substitute
        for drawn_table, actual_table in chairs
        for original, substitute in zip(drawn_table, actual_table, strict=True)
    }
    return update_rotation(order, players, sat_for)


def _find_next_round_number(stage: Stage) -> int:
    """Return the number of the draft or, without a draft, of the next round."""
    if stage.state == Stage.State.CLOSED:
        raise RefusedError(Code.NOT_OPEN, describe_stage_change(stage))
    if stage.number > 1 and not stage.qualifiers.exists():
        raise RefusedError(
            Code.NOT_OPEN, _("No one has advanced to {stage} yet.").format(stage=stage)
        )
    last = stage.rounds.order_by("-number").first()
    if last is None:
        return 1
    if last.state == Round.State.PUBLISHED:
        advice = _("Withdraw the seats before you draw again.")
        raise RefusedError(Code.PUBLISHED, f"{describe_round_change(last)} {advice}")
    if last.state == Round.State.RUNNING:
        raise RefusedError(Code.OPEN_ROUND, f"{describe_round_change(last)} {_('Close it first.')}")
    return last.number if last.state == Round.State.DRAFT else last.number + 1


def store_draft(
    stage: Stage, number: int, tables: arrangement.Tables, details: arrangement.RoundSeating
) -> Round:
    """Store a draft, replacing any earlier draft of the round.

    The caller must have locked the event.
    """
    defaults = {"ordinal": next_ordinal(stage.event)}
    played, _made = Round.objects.get_or_create(stage=stage, number=number, defaults=defaults)
    played.is_final, played.name, played.seating = False, "", details
    played.save(update_fields=["is_final", "name", "seating"])
    played.tables.all().delete()
    for position, members in enumerate(tables, 1):
        if members:
            fill_table(Table.objects.create(round=played, number=position), list(members))
    if stage.state == Stage.State.WAITING:
        stage.state = Stage.State.OPEN
        stage.save(update_fields=["state"])
    return played


def fill_table(table: Table, members: list[int]) -> None:
    """Seat these registrations. If the event uses bots, they fill the free seats.

    Bracket tables get no bots, because no bot may advance or win. Tables with physical cards get
    none, because bots cannot hold cards.
    """
    event, stage = event_of(table.round), table.round.stage
    filled = event.fill_with_bots and stage.format == Stage.Format.ROUNDS and not table.paper
    missing = event.table_size - len(members) if filled else 0
    rows = [TableSeat(table=table, number=n, registration_id=pk) for n, pk in enumerate(members)]
    chairs = range(len(members), len(members) + max(0, missing))
    rows += [TableSeat(table=table, number=n, bot=BOT) for n in chairs]
    TableSeat.objects.bulk_create(rows)


def list_table_members(table: Table) -> list[int]:
    """Return the registrations at a table, in seat order."""
    rows = table.seats.filter(registration__isnull=False).order_by("number")
    return [pk for pk in rows.values_list("registration_id", flat=True) if pk]


def reseat_table(table: Table, members: list[int]) -> None:
    """Replace the table's players with these registrations, and bots where needed.

    Players who stay at the table keep their substitute or forfeit.
    """
    special_seats = list(table.seats.filter(Q(substitute__isnull=False) | Q(forfeited=True)))
    table.seats.all().delete()
    fill_table(table, members)
    for seat in special_seats:
        same_player = table.seats.filter(registration=seat.registration_id)
        same_player.update(substitute=seat.substitute_id, forfeited=seat.forfeited)


@transaction.atomic
def publish_round(
    round_: Round, actor: User, reason: str = "", *, seen: str | None = None
) -> Round:
    """Publish the draft.

    If `list_issues_to_explain` returns sentences, a `reason` is required and stored. Raises
    RefusedError with the code `state`, `changed`, `waiting`, `outdated`, `table-size`, `final`,
    `unapproved` or `broken`.
    """
    event = lock_event(round_.stage.event, round_)
    check_round_state(round_, Round.State.DRAFT)
    check_seen(round_.stage, round_.number, seen)
    check_no_pending_reopening(event, round_.stage)
    check_draw_up_to_date(event, round_)
    check_tables(round_)
    broken = _check_issues_are_explained(round_, reason)
    round_.state = Round.State.PUBLISHED
    despite = arrangement.AcceptedViolations(tuple(broken), reason.strip()) if broken else None
    round_.seating = replace(round_.seating, despite=despite)
    round_.save(update_fields=["state", "seating"])

    def describe_publication() -> str:
        return " ".join([_("Published the seats for {round}.").format(round=round_), *broken])

    record(
        event,
        actor,
        LogAction.PUBLISH,
        describe_publication,
        reason if broken else "",
        round=round_.pk,
    )
    return round_


def check_draw_up_to_date(event: Event, round_: Round) -> None:
    """Check that no pending request could change the seats, and that the results are unchanged.

    Raises RefusedError with the code `waiting` or `outdated`.
    """
    check_players_settled(event, round_)
    check_nothing_outdated(event)


def _check_issues_are_explained(round_: Round, reason: str) -> list[str]:
    """Return sentences about the issues that require a reason, in the site's language.

    Raises RefusedError with the code `broken` if there are any and `reason` is empty.
    """
    broken = list_issues_to_explain(round_, review_seats(round_))
    if broken and not reason.strip():
        raise RefusedError(Code.BROKEN, _describe_broken_rules(broken))
    with use_site_language():
        return list_issues_to_explain(round_, review_seats(round_)) if broken else []


def _describe_broken_rules(broken: Sequence[str]) -> str:
    sentences = list(broken[:3])
    if (count := len(broken) - len(sentences)) > 0:
        sentences.append(
            ngettext("And {count} more.", "And {count} more.", count).format(count=count)
        )
    return " ".join([*sentences, _("Change the seats, or say why they should stay as they are.")])


def check_tables(round_: Round) -> None:
    """Check that the rules allow all table sizes, and that all players have a spot."""
    rules = rules_of(round_.stage.event)
    tables = list(round_.tables.prefetch_related(prefetch_sitters()))
    if not tables:
        text = _("{round} has no tables yet. Draw the seats first.")
        raise RefusedError(Code.TABLE_SIZE, text.format(round=round_))
    if round_.is_final and len(tables) > 1:
        text = _("{round} has {count} tables, but a final has only one. Draw the seats again.")
        raise RefusedError(Code.FINAL, text.format(round=round_, count=len(tables)))
    for table in tables:
        seats = list(table.seats.all())
        if not rules.min_seats <= len(seats) <= rules.max_seats:
            raise RefusedError(Code.TABLE_SIZE, _describe_wrong_size(table, len(seats), rules))
        for seat in seats:
            _check_has_spot(table, seat.registration)


def _describe_wrong_size(table: Table, players: int, rules: RuleSet) -> str:
    text = ngettext(
        "Table {table} has {count} player; these rules are for {least} to {most}. Move a player.",
        "Table {table} has {count} players; these rules are for {least} to {most}. Move a player.",
        players,
    )
    least, most = rules.min_seats, rules.max_seats
    return text.format(table=table.number, count=players, least=least, most=most)


def _check_has_spot(table: Table, registration: Registration | None) -> None:
    if registration and registration.state != Registration.State.APPROVED:
        text = _("{name} at table {table}: {state}. Remove the player from this round.")
        state = registration.get_state_display()
        sentence = text.format(name=registration.name, table=table.number, state=state)
        raise RefusedError(Code.UNAPPROVED, sentence)


@transaction.atomic
def unpublish_round(round_: Round, actor: User, reason: str) -> Round:
    """Turn published seats back into a draft.

    Raises RefusedError with the code `state` or `no-reason`.
    """
    event = lock_event(round_.stage.event, round_)
    check_round_state(round_, Round.State.PUBLISHED)
    check_reason(reason, _("The seats have been published, so say why they are being withdrawn."))
    round_.state, round_.mailed_page = Round.State.DRAFT, ""
    round_.save(update_fields=["state", "mailed_page"])
    description = translate_later(gettext_noop("Withdrew the seats for {round}."), round=round_)
    record(event, actor, LogAction.UNPUBLISH, description, reason, **identify_place(round_))
    return round_
