"""A bracket as a tree: the drawn rounds, and the expected rounds up to the final."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournament.common.round_names import make_round
from tournament.hall.table_views import BracketStage, PublicTable, RoundView, SeatView
from tournament.models import Registration, Round, Stage
from tournament.pure import brackets
from tournament.stages.progression import get_bracket_shape


@dataclass(frozen=True)
class TreeSeat:
    """A seat in the tree.

    `view` is None while the player is unknown. `origin` describes how the player reached the seat.
    It is "" in the first round, and while the leaderboard is frozen.
    """

    view: SeatView | None
    origin: str


@dataclass(frozen=True)
class TreeTable:
    """A table in the tree.

    `view` is None until the table is drawn. `is_own` means that the reader has a seat there.
    """

    number: int
    view: PublicTable | None
    seats: Sequence[TreeSeat]
    is_own: bool = False


@dataclass(frozen=True)
class TreeRound:
    """A round in the tree.

    `waiting` contains the players with a bye. `round` is the round, which may be unsaved.
    """

    round: Round
    tables: Sequence[TreeTable]
    waiting: Sequence[Registration] = ()

    @property
    def anchor(self) -> str:
        return f"round-{self.round.ordinal}"

    @property
    def is_drawn(self) -> bool:
        return self.round.pk is not None


@dataclass(frozen=True)
class Tree:
    """The tree of all rounds of a stage, first round first."""

    stage: Stage
    rounds: Sequence[TreeRound]

    @property
    def is_seeded_by_shares(self) -> bool:
        """True if a future round seats players by their shares of table points."""
        following = self.rounds[1:]
        return any(not each.is_drawn and len(each.tables) > 1 for each in following)

    @property
    def rounds_with_reasons(self) -> list[TreeRound]:
        """The drawn rounds that have reasons why players advanced or did not."""
        drawn = [each for each in self.rounds if each.is_drawn]
        return [
            tree_round
            for tree_round in drawn
            if any(
                seat.view and seat.view.why for table in tree_round.tables for seat in table.seats
            )
        ]


def build_tree(bracket: BracketStage, reader: Registration | None = None) -> Tree:
    """Return the complete bracket up to the final. The reader's own tables are marked."""
    drawn = list(_iterate_drawn_rounds(bracket, reader))
    return Tree(bracket.stage, [*drawn, *_iterate_expected_rounds(bracket, drawn)])


def _iterate_drawn_rounds(
    bracket: BracketStage, reader: Registration | None
) -> Iterator[TreeRound]:
    origins: Mapping[int, str] = {}
    people = {each.registration.pk: each.registration for each in bracket.qualifiers}
    for round_view in bracket.rounds:
        waiting = [people[pk] for pk in round_view.round.seating.byes if pk in people]
        yield TreeRound(
            round_view.round,
            [_build_table(table, origins, reader) for table in round_view.tables],
            waiting,
        )
        # A player's origin reveals a place, which is hidden while the leaderboard is frozen.
        origins = {} if bracket.stage.event.freeze else _map_origins(round_view, waiting)


def _build_table(
    view: PublicTable, origins: Mapping[int, str], reader: Registration | None
) -> TreeTable:
    seats = [TreeSeat(seat, origins.get(_get_registration_id(seat), "")) for seat in view.standing]
    is_own_table = reader is not None and any(
        _get_registration_id(seat) == reader.pk for seat in view.seats
    )
    return TreeTable(view.number, view, seats, is_own_table)


def _get_registration_id(seat: SeatView) -> int:
    return seat.registration.pk if seat.registration else 0


def _map_origins(round_view: RoundView, waiting: Sequence[Registration]) -> dict[int, str]:
    placed = [(seat, table) for table in round_view.tables for seat in table.seats if seat.place]
    origins = {
        _get_registration_id(seat): _describe_origin(seat.place or 0, table.number)
        for seat, table in placed
    }
    return origins | {registration.pk: _("with a bye") for registration in waiting}


def _describe_origin(place: int, table: int) -> str:
    texts = {
        1: _("1st at table {table}"),
        2: _("2nd at table {table}"),
        3: _("3rd at table {table}"),
    }
    text = texts.get(place) or _("{place}th at table {table}")
    return text.format(place=place, table=table)


def _iterate_expected_rounds(
    bracket: BracketStage, tree_rounds: Sequence[TreeRound]
) -> Iterator[TreeRound]:
    """Yield the rounds that are not drawn yet, assuming that no player leaves.

    Yields nothing if these rounds cannot be determined.
    """
    try:
        yield from _iterate_planned_rounds(bracket, tree_rounds)
    except brackets.BracketError:
        return


def _iterate_planned_rounds(
    bracket: BracketStage, tree_rounds: Sequence[TreeRound]
) -> Iterator[TreeRound]:
    stage, shape = bracket.stage, get_bracket_shape(bracket.stage)
    previous = _plan_drawn_round(tree_rounds[-1], shape) if tree_rounds else None
    if previous and previous.is_final:
        return
    active = sum(each.active for each in bracket.qualifiers)
    plans = brackets.plan_bracket(previous.through if previous else active, shape)
    numbers = [table.number for table in tree_rounds[-1].tables] if tree_rounds else []
    ordinal = tree_rounds[-1].round.ordinal + 1 if tree_rounds else 1
    taken = {each.round.name for each in tree_rounds}
    for position, planned in enumerate(plans):
        slots = _list_slots(previous, numbers, planned)
        tables = [_make_expected_table(number, each) for number, each in enumerate(slots, 1)]
        yield TreeRound(
            make_round(stage, ordinal + position, len(plans) - 1 - position, taken), tables
        )
        previous, numbers = planned, [table.number for table in tables]


def _list_slots(
    previous: brackets.RoundPlan | None, numbers: Sequence[int], planned: brackets.RoundPlan
) -> brackets.Slots:
    if previous is None:
        return brackets.first_tables(planned)
    return brackets.tables_after(previous, numbers, planned)


def _plan_drawn_round(tree_round: TreeRound, shape: brackets.Shape) -> brackets.RoundPlan:
    byes = len(tree_round.round.seating.byes)
    return brackets.plan_tables([len(table.seats) for table in tree_round.tables], byes, shape)


def _make_expected_table(number: int, slots: Sequence[brackets.Slot]) -> TreeTable:
    return TreeTable(number, None, [TreeSeat(None, _describe_slot(slot)) for slot in slots])


def _describe_slot(slot: brackets.Slot) -> str:
    if slot.table is not None:
        return _describe_origin(slot.place, slot.table)
    texts = {
        brackets.SEED: _("Seed {number}"),
        brackets.BYE: _("Bye {number}"),
        brackets.FILL: _("Best of the rest, no. {number}"),
        1: _("Winner {number}"),
        2: _("Runner-up {number}"),
        3: _("Third place {number}"),
    }
    text = texts.get(slot.place) or _("{place}th place {number}")
    return text.format(place=slot.place, number=slot.order)
