"""Public information about an event's players and their tables."""

from dataclasses import dataclass

from django.db.models import Exists, OuterRef, Q, QuerySet

from games import facts
from tournament.hall.queries import select_tables_of_player, table_view
from tournament.hall.table_views import PublicTable, SeatView
from tournament.models import Event, Registration, Round, Sitting, TableSeat
from tournament.pure import alphabet
from tournament.results.queries import results_of
from tournament.results.table_result import TableResult
from tournament.standings.queries import leaderboard
from tournament.standings.rows import LeaderRow


@dataclass(frozen=True)
class EventPerson:
    """A player of the event.

    `row` is None while the player's place is not public. `seat` is the player's seat in the latest
    published round.
    """

    registration: Registration
    row: LeaderRow | None
    seat: TableSeat | None


@dataclass(frozen=True)
class FinishedHand:
    """A finished hand.

    `replay` is the link to its replay, or "" if that is not public.
    """

    number: int
    won: bool
    replay: str


@dataclass(frozen=True)
class PlayedTable:
    """A table from a player's point of view.

    * `points`, `place`: None until the table has a result.
    * `partner`: the partner's seat, or None in games without partners.
    * `replaced_player`: the name of the player whom this player replaced, or "".
    * `separated`: a description of the tie-break that separated players with the same points.
    """

    view: PublicTable
    points: int | None
    place: int | None
    partner: SeatView | None
    opponents: list[SeatView]
    hands: list[FinishedHand]
    replaced_player: str
    separated: str = ""


@dataclass(frozen=True)
class PersonView:
    """A player's tables in the event, newest first.

    `row` is None while the player's place is not public.
    """

    registration: Registration
    row: LeaderRow | None
    tables: list[PlayedTable]

    @property
    def own(self) -> list[PlayedTable]:
        return [table for table in self.tables if not table.replaced_player]

    @property
    def hands(self) -> int:
        return sum(len(table.hands) for table in self.own)

    @property
    def hands_won(self) -> int:
        return sum(hand.won for table in self.own for hand in table.hands)

    @property
    def playing(self) -> PlayedTable | None:
        return next((table for table in self.tables if table.view.state.is_live), None)


def select_public_players(event: Event) -> QuerySet[Registration]:
    """Return the players who have a spot or have had a seat, except anonymized players."""
    seats = TableSeat.objects.exclude(table__round__state=Round.State.DRAFT)
    was_seated = seats.filter(Q(registration=OuterRef("pk")) | Q(substitute=OuterRef("pk")))
    shown = Q(state=Registration.State.APPROVED) | Exists(was_seated)
    return event.registrations.filter(shown, anonymous=False)


def find_people(event: Event, search_text: str = "") -> list[EventPerson]:
    """Return the players whose name matches the search text, sorted by name."""
    registrations = [
        registration
        for registration in select_public_players(event)
        if alphabet.matches_name(search_text, registration.name)
    ]
    rows, seats = _map_leader_rows(event), _map_latest_seats(event)
    registrations.sort(key=lambda registration: alphabet.name_sort_key(registration.name))
    return [
        EventPerson(registration, rows.get(registration.pk), seats.get(registration.pk))
        for registration in registrations
    ]


def _map_leader_rows(event: Event) -> dict[int, LeaderRow]:
    """Return the rows of the public leaderboard, by registration key.

    Players who have not played yet are left out.
    """
    return {row.registration.pk: row for row in leaderboard(event).rows if row.counts}


def _map_latest_seats(event: Event) -> dict[int, TableSeat]:
    """Return the seats in the latest published round, by registration key."""
    rounds = Round.objects.filter(stage__event=event).exclude(state=Round.State.DRAFT)
    newest = rounds.order_by("-stage__number", "-number").first()
    seats = TableSeat.objects.filter(table__round=newest) if newest else TableSeat.objects.none()
    rows = seats.select_related("table", "registration", "substitute")
    return {seat.sitter.pk: seat for seat in rows if seat.sitter}


def find_player(event: Event, number: int) -> PersonView | None:
    """Return the player with this number, or None if the player is not named in public."""
    registration = select_public_players(event).filter(queue_number=number).first()
    if registration is None:
        return None
    row = _map_leader_rows(event).get(registration.pk)
    return PersonView(registration, row, _list_tables_of_player(event, registration))


def _list_tables_of_player(event: Event, registration: Registration) -> list[PlayedTable]:
    results = results_of(select_tables_of_player(event, registration), public=True)
    return [_make_played_table(result, registration) for result in reversed(results)]


def _make_played_table(result: TableResult, registration: Registration) -> PlayedTable:
    seat = next(
        sitting
        for sitting in result.seats
        if registration in (sitting.registration, sitting.substitute)
    )
    view = table_view(result)
    by_number = {each.number: each for each in view.seats}
    partner = (seat.number + 2) % 4 if result.partners and len(result.seats) == 4 else None
    own_seats = (seat.number, partner)
    return PlayedTable(
        view=view,
        points=result.points[seat.number] if result.points else None,
        place=by_number[seat.number].place,
        partner=None if partner is None else by_number[partner],
        opponents=[by_number[number] for number in sorted(by_number) if number not in own_seats],
        hands=_list_hands(result, seat.number),
        replaced_player="" if seat.registration == registration else _get_seat_name(seat),
        separated=by_number[seat.number].separated,
    )


def _get_seat_name(seat: Sitting) -> str:
    return seat.registration.name if seat.registration else str(seat)


def _list_hands(result: TableResult, number: int) -> list[FinishedHand]:
    hands = facts.played_hands(result.match) if result.match else []
    return [FinishedHand(hand.number, hand.winner == number, hand.replay) for hand in hands]
