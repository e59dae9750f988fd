"""Content of an event's public pages and of a player's own page."""

from collections.abc import Sequence
from dataclasses import replace
from itertools import groupby, zip_longest

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from games import facts
from games.models import Match
from tournament.hall.next_step import is_taken, next_step
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
from tournament.pure.alphabet import initial, order
from tournament.results.queries import TableResult, results_in, results_of, table_results
from tournament.results.table_state import TableState
from tournament.rulings.conduct import bot_plays_for, own_rulings
from tournament.stages.outdated_cuts import find_surplus
from tournament.stages.progression import NOWHERE, RoundOutcome, list_onward
from tournament.stages.texts import stage_text

PARTNERS_AT_A_TABLE = 4


def table_view(result: TableResult, on: RoundOutcome = NOWHERE) -> PublicTable:
    """Build the public view of a table from its result."""
    table, match = result.table, result.match
    state = table_state(result)
    return PublicTable(
        table=table,
        match=match,
        number=table.number,
        title=_("Table {number}").format(number=table.number),
        state=state,
        state_text=_describe_state(match, state),
        hand=facts.hand_shown(match) if match and state.is_live else None,
        turn=_find_turn(match) if state == TableState.PLAYING else "",
        seats=_order_in_pairs(result, _list_seats(result, on)),
        link=match.get_absolute_url() if match and state != TableState.ABANDONED else "",
        result_link=_make_result_link(match),
        note=_note(match) if match and state == TableState.ABANDONED else "",
    )


def _note(match: Match) -> str:
    return _("Abandoned: {reason}").format(reason=facts.describe_ending(match))


def _describe_state(match: Match | None, state: TableState) -> str:
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
    """Return the name at the seat whose turn it is, or "" between hands."""
    number = facts.turn_seat(match) if match else None
    if match is None or number is None:
        return ""
    return next(seat.name for seat in match.seats.all() if seat.number == number)


def _make_result_link(match: Match | None) -> str:
    if match is None or match.phase == Match.Phase.WAITING:
        return ""
    return reverse("games:result", args=[match.public_id])


def _list_seats(result: TableResult, on: RoundOutcome) -> list[SeatView]:
    places = result.list_places() if result.final else [None] * len(result.seats)
    return [
        _seat(result, seat, place, on) for seat, place in zip(result.seats, places, strict=True)
    ]


def _seat(result: TableResult, seat: Sitting, place: int | None, on: RoundOutcome) -> SeatView:
    points = result.points[seat.number] if result.points else None
    return SeatView(
        number=seat.number,
        name=str(seat),
        registration=seat.registration,
        points=points,
        place=place,
        through=seat.registration_id in on.through,
        why=str(on.why.get(seat.registration_id or 0, "")),
        bot=seat.registration_id is None,
        present=_find_presence(result, seat),
        out=seat.number in result.out,
        substitute=seat.substitute,
        forfeited=seat.forfeited,
        separated=str(result.order.explain(seat.player) or "") if place else "",
    )


def _order_in_pairs(result: TableResult, seats: list[SeatView]) -> list[SeatView]:
    """Order partners next to each other, with shared information shown only once."""
    if not result.partners or len(seats) != PARTNERS_AT_A_TABLE:
        return seats
    pairs = zip(seats[:2], seats[2:], strict=True)
    both = [
        (replace(one, partner=two.name), replace(two, points=None, paired=True))
        for one, two in pairs
    ]
    return [seat for pair in both for seat in pair]


def _find_presence(result: TableResult, seat: Sitting) -> bool | None:
    """Return whether the player is connected or, before the start, present.

    The result is None if the player does not have to be there.
    """
    match = result.match
    if match is None and result.table.round.state == Round.State.PUBLISHED and seat.registration:
        return is_present(seat.registration, timezone.now())
    if match is None or seat.registration is None or match.phase == Match.Phase.OVER:
        return None
    if seat.number in result.out:
        return None
    chair = next(s for s in match.seats.all() if s.number == seat.number)
    if chair.bot:
        return None
    return facts.is_present(chair, timezone.now())


def round_view(
    playing: Round, results: Sequence[TableResult], on: RoundOutcome = NOWHERE
) -> RoundView:
    """Build the view of a round with the results of its own tables."""
    mine = [o for o in results if o.table.round_id == playing.pk]
    return RoundView(
        round=playing,
        title=playing.title,
        state=playing.state,
        state_text=_round_text(playing, mine),
        tables=[table_view(o, on) for o in mine],
    )


def _round_text(playing: Round, mine: Sequence[TableResult]) -> str:
    running = playing.state == Round.State.RUNNING
    if running and not any(found.open for found in mine):
        return _("all tables have finished")
    return playing.get_state_display()


def tables(event: Event) -> list[RoundView]:
    """Return the published, running and closed rounds with their tables, newest first.

    In each round, tables with something to watch come first.
    """
    rounds = _select_rounds(event).exclude(state=Round.State.DRAFT)
    found = table_results(event, event.registrations.in_bulk(), public=True)
    views = [round_view(r, found) for r in reversed(rounds)]
    return [replace(view, tables=sorted(view.tables, key=_is_at_rest)) for view in views]


def _is_at_rest(view: PublicTable) -> bool:
    return not view.state.is_live


def _select_rounds(event: Event) -> QuerySet[Round]:
    rounds = Round.objects.filter(stage__event=event).select_related("stage__event")
    return rounds.order_by("stage__number", "number")


def bracket(event: Event) -> BracketStage | None:
    """Return the last bracket that has players, with its rounds, or None if there is none yet."""
    brackets = event.stages.filter(format=Stage.Format.BRACKET)
    stages = brackets.filter(qualifiers__isnull=False).distinct()
    stage = stages.order_by("-number").first()
    if stage is None:
        return None
    published = [o for o in table_results(stage, public=True) if not _is_draft(o.table.round)]
    rounds = list(_select_rounds(event).filter(stage=stage).exclude(state=Round.State.DRAFT))
    return BracketStage(
        stage=stage,
        text=stage_text(stage),
        rounds=[
            round_view(played, published, _build_next_round(played, published, following))
            for played, following in zip_longest(rounds, rounds[1:])
        ],
        qualifiers=_list_public_qualifiers(stage),
    )


def _build_next_round(
    round_: Round, results: Sequence[TableResult], following: Round | None
) -> RoundOutcome:
    """Return the players who advance and the reasons, in words with points.

    Returns NOWHERE while the leaderboard is frozen.
    """
    return NOWHERE if round_.stage.event.freeze else list_onward(round_, results, following)


def _list_public_qualifiers(stage: Stage) -> list[QualifierView]:
    """Return the players in the bracket whose seeds are public.

    Seeds equal ranks, so they are hidden while the leaderboard is frozen.
    """
    freeze = stage.event.freeze
    if not freeze:
        return qualifiers(stage)
    known = set(stage.qualifiers.filter(pk__in=freeze.qualifiers).values_list("registration"))
    return [each for each in qualifiers(stage) if (each.registration.pk,) in known]


def _is_draft(playing: Round) -> bool:
    return playing.state == Round.State.DRAFT


def qualifiers(stage: Stage) -> list[QualifierView]:
    """Return the players of the stage, by seed."""
    rows = list(stage.qualifiers.select_related("registration").order_by("seed"))
    surplus = find_surplus(stage) if rows else set()
    return [
        QualifierView(
            q.seed,
            q.registration.name,
            q.registration,
            q.active,
            _advances_as_cut(str(q.reason)) if q.registration_id in surplus else str(q.reason),
        )
        for q in rows
    ]


def _advances_as_cut(reason: str) -> str:
    """Describe a player who advances although they would not by the corrected results."""
    text = _("{why} Still advances: the cut was made before the results were corrected.")
    return text.format(why=reason).strip()


def player_page(event: Event, user: User) -> PlayerPage | None:
    """Return the user's own page in the event, or None without a registration."""
    registration = event.registrations.filter(user_id=user.pk).first()
    if registration is None:
        return None
    mine = _list_tables(event, registration)
    current = next((t for t in mine if t.table.round.state in ("published", "running")), None)
    seat = _seat_of(registration, current) if current else None
    bot = bot_plays_for(event, user)
    away = seat is not None and (seat.forfeited or is_taken(seat, registration))
    return PlayerPage(
        registration=registration,
        next_step=next_step(event, registration, current, seat, bot),
        seat_number=seat.number + 1 if seat else None,
        table=current,
        rulings=own_rulings(registration),
        bot=bot,
        away=away,
        history=[t for t in mine if t is not current],
        why="" if current else _explain_outcome(event, registration),
        waiting_ahead=_count_waiting_ahead(registration),
    )


def _list_tables(event: Event, registration: Registration) -> list[PublicTable]:
    """List the player's own tables, newest first."""
    mine = tables_at(event, registration)
    views = [table_view(found) for found in reversed(results_of(mine))]
    if not event.freeze:
        return views
    known = {found.table.pk for found in results_of(mine, public=True) if found.final}
    return [view if view.table.pk in known else _hide_places(view) for view in views]


def _hide_places(view: PublicTable) -> PublicTable:
    """Return the view without places, for a table whose result is not public yet."""
    return replace(view, seats=[replace(seat, place=None, separated="") for seat in view.seats])


def _explain_outcome(event: Event, registration: Registration) -> str:
    """Explain why the player advanced from their last bracket round, or did not.

    The result is empty while the round is open or the leaderboard is frozen.
    """
    brackets = _select_rounds(event).filter(stage__format=Stage.Format.BRACKET)
    known = list(brackets.exclude(state=Round.State.DRAFT))
    sat = {table.round_id for table in tables_at(event, registration)}
    here = [number for number, played in enumerate(known) if played.pk in sat]
    if not here or event.freeze:
        return ""
    both = known[here[-1] : here[-1] + 2]
    following = both[1] if both[1:] and both[1].stage_id == both[0].stage_id else None
    on = list_onward(both[0], results_in(both, public=True), following)
    return str(on.why.get(registration.pk, ""))


def tables_at(event: Event, registration: Registration) -> QuerySet[Table]:
    """Return the tables at which the player has sat, in their own seat or as a substitute.

    Tables of drafts are left out.
    """
    here = Q(seats__registration=registration) | Q(seats__substitute=registration)
    mine = Table.objects.filter(here, round__stage__event=event)
    return mine.exclude(round__state=Round.State.DRAFT).distinct()


def _count_waiting_ahead(registration: Registration) -> int | None:
    over = registration.event.state == Event.State.FINISHED
    if registration.state != Registration.State.WAITLIST or over:
        return None
    ahead = registration.event.registrations.filter(
        state=Registration.State.WAITLIST, queue_number__lt=registration.queue_number
    )
    return ahead.count()


def _seat_of(registration: Registration, table: PublicTable) -> SeatView:
    """Return the player's own seat, or the seat where they substitute."""
    return next(s for s in table.seats if registration in (s.registration, s.substitute))


Seated = tuple[SeatView, PublicTable]


def group_by_letter(current: RoundView) -> list[tuple[str, list[Seated]]]:
    """Group the round's players with their tables by the first letter of their names."""
    seats = [(seat, table) for table in current.tables for seat in table.seats]
    seats.sort(key=lambda pair: order(pair[0].name))
    return [
        (letter, list(pairs))
        for letter, pairs in groupby(seats, lambda pair: initial(pair[0].name))
    ]
