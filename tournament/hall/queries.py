"""The contents of an event's public pages and of a player's own page."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import groupby, zip_longest

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from games import facts
from games.models import Match
from tournament.hall.next_step import is_played_by_another, next_step
from tournament.hall.table_views import (
    BracketStage,
    PlayerPage,
    PublicTable,
    QualifierView,
    RoundView,
    SeatView,
)
from tournament.models import Event, Registration, Round, Sitting, Stage, Table, User
from tournament.people.presence import is_present
from tournament.pure.alphabet import index_letter, name_sort_key
from tournament.results.queries import results_in, results_of, table_results
from tournament.results.table_result import TableResult
from tournament.results.table_state import TableState
from tournament.rulings.conduct import find_bot_ruling, list_own_rulings
from tournament.stages.outdated_cuts import list_current_reasons
from tournament.stages.progression import NO_OUTCOME, RoundOutcome, find_round_outcome
from tournament.stages.texts import stage_text

PARTNERS_AT_A_TABLE = 4


def table_view(result: TableResult, outcome: RoundOutcome = NO_OUTCOME) -> PublicTable:
    """Build the public view of a table from its result."""
    table, match = result.table, result.match
    state = table_state(result)
    return PublicTable(
        table=table,
        match=match,
        number=table.number,
        title=_("Table {number}").format(number=table.number),
        state=state,
        state_text=_describe_table_state(match, state),
        hand=facts.latest_hand(match) if match and state.is_live else None,
        turn=_find_turn(match) if state == TableState.PLAYING else "",
        seats=_order_in_pairs(result, _list_seat_views(result, outcome)),
        link=match.get_absolute_url() if match and state != TableState.ABANDONED else "",
        result_link=_make_result_link(match),
        note=_describe_abandonment(match) if match and state == TableState.ABANDONED else "",
    )


def _describe_abandonment(match: Match) -> str:
    return _("Abandoned: {reason}").format(reason=facts.describe_ending(match))


def _describe_table_state(match: Match | None, state: TableState) -> str:
    if state == TableState.PAUSED and match is not None and facts.is_deserted(match):
        return _("paused: no one at the table")
    if state == TableState.PAUSED and match is not None and facts.is_damaged(match):
        return _("paused: the hand must be dealt again")
    return str(state.label)


def table_state(result: TableResult) -> TableState:
    """Return the state of the table with this result."""
    match = result.match
    if result.final:
        return TableState.FINISHED
    if result.table.paper:
        return TableState.PAPER
    if match is None:
        draft = result.table.round.state == Round.State.DRAFT
        return TableState.DRAFT if draft else TableState.WAITING
    if match.phase == Match.Phase.OVER:
        return TableState.ABANDONED
    if match.paused:
        return TableState.PAUSED
    waiting = match.phase == Match.Phase.WAITING
    return TableState.WAITING if waiting else TableState.PLAYING


def _find_turn(match: Match | None) -> str:
    """Return the name of the player whose turn it is, or "" between hands."""
    number = facts.turn_seat(match) if match else None
    if match is None or number is None:
        return ""
    return next(seat.name for seat in match.seats.all() if seat.number == number)


def _make_result_link(match: Match | None) -> str:
    if match is None or match.phase == Match.Phase.WAITING:
        return ""
    return reverse("games:result", args=[match.public_id])


def _list_seat_views(result: TableResult, outcome: RoundOutcome) -> list[SeatView]:
    places = result.list_places() if result.final else [None] * len(result.seats)
    return [
        _make_seat_view(result, seat, place, outcome)
        for seat, place in zip(result.seats, places, strict=True)
    ]


def _make_seat_view(
    result: TableResult, seat: Sitting, place: int | None, outcome: RoundOutcome
) -> SeatView:
    points = result.points[seat.number] if result.points else None
    return SeatView(
        number=seat.number,
        name=str(seat),
        registration=seat.registration,
        points=points,
        place=place,
        through=seat.registration_id in outcome.through,
        why=str(outcome.why.get(seat.registration_id or 0, "")),
        bot=seat.registration_id is None,
        present=_find_presence(result, seat),
        out=seat.number in result.out,
        substitute=seat.substitute,
        forfeited=seat.forfeited,
        separated=str(result.order.explain(seat.player) or "") if place else "",
    )


def _order_in_pairs(result: TableResult, seats: list[SeatView]) -> list[SeatView]:
    """Put partners next to each other, and show their shared points only once."""
    if not result.partners or len(seats) != PARTNERS_AT_A_TABLE:
        return seats
    pairs = zip(seats[:2], seats[2:], strict=True)
    partners = [
        (replace(first, partner=second.name), replace(second, points=None, paired=True))
        for first, second in pairs
    ]
    return [seat for pair in partners for seat in pair]


def _find_presence(result: TableResult, seat: Sitting) -> bool | None:
    """Return whether the player is at the table or, before the match, present at the event.

    Returns None if no one has to be there.
    """
    match = result.match
    if match is None and result.table.round.state == Round.State.PUBLISHED and seat.registration:
        return is_present(seat.registration, timezone.now())
    if match is None or seat.registration is None or match.phase == Match.Phase.OVER:
        return None
    if seat.number in result.out:
        return None
    match_seat = next(each for each in match.seats.all() if each.number == seat.number)
    if match_seat.bot:
        return None
    return facts.is_present(match_seat, timezone.now())


def round_view(
    round_: Round, results: Sequence[TableResult], outcome: RoundOutcome = NO_OUTCOME
) -> RoundView:
    """Return the view of a round. `results` may include other rounds, which are ignored."""
    own_results = [result for result in results if result.table.round_id == round_.pk]
    return RoundView(
        round=round_,
        title=round_.title,
        state=round_.state,
        state_text=_describe_round_state(round_, own_results),
        tables=[table_view(result, outcome) for result in own_results],
    )


def _describe_round_state(round_: Round, own_results: Sequence[TableResult]) -> str:
    running = round_.state == Round.State.RUNNING
    if running and not any(result.open for result in own_results):
        return _("all tables have finished")
    return round_.get_state_display()


def tables(event: Event) -> list[RoundView]:
    """Return the published rounds with their tables, newest round first.

    In each round, tables that can be watched come first.
    """
    rounds = _select_rounds(event).exclude(state=Round.State.DRAFT)
    results = table_results(event, event.registrations.in_bulk(), public=True)
    views = [round_view(round_, results) for round_ in reversed(rounds)]
    return [
        replace(view, tables=sorted(view.tables, key=lambda table: not table.state.is_live))
        for view in views
    ]


def _select_rounds(event: Event) -> QuerySet[Round]:
    rounds = Round.objects.filter(stage__event=event).select_related("stage__event")
    return rounds.order_by("stage__number", "number")


def bracket(event: Event) -> BracketStage | None:
    """Return the last bracket that has players, with its rounds, or None."""
    brackets = event.stages.filter(format=Stage.Format.BRACKET)
    stages = brackets.filter(qualifiers__isnull=False).distinct()
    stage = stages.order_by("-number").first()
    if stage is None:
        return None
    published = [
        result
        for result in table_results(stage, public=True)
        if result.table.round.state != Round.State.DRAFT
    ]
    rounds = list(_select_rounds(event).filter(stage=stage).exclude(state=Round.State.DRAFT))
    return BracketStage(
        stage=stage,
        text=stage_text(stage),
        rounds=[
            round_view(round_, published, _find_outcome(round_, published, following))
            for round_, following in zip_longest(rounds, rounds[1:])
        ],
        qualifiers=_list_public_qualifiers(stage),
    )


def _find_outcome(
    round_: Round, results: Sequence[TableResult], following: Round | None
) -> RoundOutcome:
    """Return who advances from the round and why.

    Returns NO_OUTCOME while the leaderboard is frozen.
    """
    return (
        NO_OUTCOME if round_.stage.event.freeze else find_round_outcome(round_, results, following)
    )


def _list_public_qualifiers(stage: Stage) -> list[QualifierView]:
    """Return the players of the bracket if their seeds are public.

    Seeds reveal ranks, so they are hidden while the leaderboard is frozen.
    """
    freeze = stage.event.freeze
    if not freeze:
        return qualifiers(stage)
    revealed = set(stage.qualifiers.filter(pk__in=freeze.qualifiers).values_list("registration"))
    shown = _list_qualifiers(stage, {})
    return [each for each in shown if (each.registration.pk,) in revealed]


def qualifiers(stage: Stage) -> list[QualifierView]:
    """Return the players of the stage by seed, with the current reasons."""
    return _list_qualifiers(stage, list_current_reasons(stage))


def _list_qualifiers(stage: Stage, current_reasons: Mapping[int, str]) -> list[QualifierView]:
    """Return the players of the stage by seed.

    For players who are still in the stage, `current_reasons` replace the stored reasons.
    """
    rows = stage.qualifiers.select_related("registration").order_by("seed")
    return [
        QualifierView(
            each.seed,
            each.registration.name,
            each.registration,
            each.active,
            current_reasons.get(each.registration_id if each.active else 0, str(each.reason)),
        )
        for each in rows
    ]


def player_page(event: Event, user: User) -> PlayerPage | None:
    """Return the user's own page in the event, or None if the user is not registered."""
    registration = event.registrations.filter(user_id=user.pk).first()
    if registration is None:
        return None
    tables = _list_tables_of_player(event, registration)
    current = next(
        (table for table in tables if table.table.round.state in ("published", "running")), None
    )
    seat = _find_own_seat(registration, current) if current else None
    bot = find_bot_ruling(event, user)
    is_replaced = seat is not None and (seat.forfeited or is_played_by_another(seat, registration))
    return PlayerPage(
        registration=registration,
        next_step=next_step(event, registration, current, seat, bot),
        seat_number=seat.number + 1 if seat else None,
        table=current,
        rulings=list_own_rulings(registration),
        bot=bot,
        is_replaced=is_replaced,
        history=[table for table in tables if table is not current],
        why="" if current else _explain_outcome(event, registration),
        waiting_ahead=_count_waiting_ahead(registration),
    )


def _list_tables_of_player(event: Event, registration: Registration) -> list[PublicTable]:
    """List the player's tables, newest first."""
    own_tables = select_tables_of_player(event, registration)
    views = [table_view(result) for result in reversed(results_of(own_tables))]
    if not event.freeze:
        return views
    public_tables = {
        result.table.pk for result in results_of(own_tables, public=True) if result.final
    }
    return [view if view.table.pk in public_tables else _hide_places(view) for view in views]


def _hide_places(view: PublicTable) -> PublicTable:
    """Return the view without places, for a table whose result is not public yet."""
    return replace(view, seats=[replace(seat, place=None, separated="") for seat in view.seats])


def _explain_outcome(event: Event, registration: Registration) -> str:
    """Explain why the player advanced from their last bracket round, or why not.

    Returns "" while the round is open or the leaderboard is frozen.
    """
    brackets = _select_rounds(event).filter(stage__format=Stage.Format.BRACKET)
    rounds = list(brackets.exclude(state=Round.State.DRAFT))
    rounds_played = {table.round_id for table in select_tables_of_player(event, registration)}
    positions = [number for number, round_ in enumerate(rounds) if round_.pk in rounds_played]
    if not positions or event.freeze:
        return ""
    last_rounds = rounds[positions[-1] : positions[-1] + 2]
    following = (
        last_rounds[1]
        if last_rounds[1:] and last_rounds[1].stage_id == last_rounds[0].stage_id
        else None
    )
    outcome = find_round_outcome(last_rounds[0], results_in(last_rounds, public=True), following)
    return str(outcome.why.get(registration.pk, ""))


def select_tables_of_player(event: Event, registration: Registration) -> QuerySet[Table]:
    """Return the tables where the player has had a seat or has substituted, except drafts."""
    has_seat = Q(seats__registration=registration) | Q(seats__substitute=registration)
    own_tables = Table.objects.filter(has_seat, round__stage__event=event)
    return own_tables.exclude(round__state=Round.State.DRAFT).distinct()


def _count_waiting_ahead(registration: Registration) -> int | None:
    is_finished = registration.event.state == Event.State.FINISHED
    if registration.state != Registration.State.WAITLIST or is_finished:
        return None
    ahead = registration.event.registrations.filter(
        state=Registration.State.WAITLIST, queue_number__lt=registration.queue_number
    )
    return ahead.count()


def _find_own_seat(registration: Registration, table: PublicTable) -> SeatView:
    """Return the player's own seat, or the one in which the player substitutes."""
    return next(
        seat for seat in table.seats if registration in (seat.registration, seat.substitute)
    )


SeatAtTable = tuple[SeatView, PublicTable]


def group_by_letter(current: RoundView) -> list[tuple[str, list[SeatAtTable]]]:
    """Group the seats of a round by the first letter of the player's name."""
    seats = [(seat, table) for table in current.tables for seat in table.seats]
    seats.sort(key=lambda pair: name_sort_key(pair[0].name))
    return [
        (letter, list(pairs))
        for letter, pairs in groupby(seats, lambda pair: index_letter(pair[0].name))
    ]
