"""Tests of leaderboard updates, which contain only the changed rows."""

from dataclasses import replace

import pytest
from django.template.loader import get_template
from hypothesis import given
from hypothesis import strategies as st

from games.sockets.base import encode
from tests.factories import UNREACHABLE_TARGET
from tests.protocol import validate
from tests.tournament.staging import first_table, play, running_round
from tests.typed import sure
from tournament.models import Event, Registration
from tournament.web.live.boards import read_news
from tournament.web.live.rows import ROW, BoardRow, ShownLeaderboard, list_changes

ROW_TEMPLATE = get_template(ROW)


def make_row(
    key: int,
    points: str = "0",
    through: bool = False,
    ranked: bool = True,
    note: str = "",
    rank: int = 1,
) -> BoardRow:
    look = {"key": key, "points": points, "through": through, "ranked": ranked, "note": note}
    html = ROW_TEMPLATE.render({**look, "rank": rank})
    return BoardRow(key, rank, tuple(look.values()), html)


def make_leaderboard(
    *rows: BoardRow, ranks: tuple[int, ...] = (), state: str = "", legend: str = ""
) -> ShownLeaderboard:
    wanted = zip(rows, ranks or range(1, len(rows) + 1), strict=True)
    return ShownLeaderboard(
        state, tuple(replace_rank(each, rank) for each, rank in wanted), legend, "Cup"
    )


def replace_rank(board_row: BoardRow, rank: int) -> BoardRow:
    """Return the row with another rank. The template contains the rank twice."""
    html = board_row.html.replace(f'data-rank="{board_row.rank}"', f'data-rank="{rank}"')
    number = 'class="rank-number">{}<'
    html = html.replace(number.format(board_row.rank), number.format(rank))
    return replace(board_row, rank=rank, html=html)


def apply_update(before: ShownLeaderboard, now: ShownLeaderboard) -> ShownLeaderboard:
    """Return the leaderboard of a client that had `before` and receives the update to `now`."""
    message = sure(list_changes(before, now, 1))
    validate("StandingsMessage", message)
    assert (message["base"], message["hash"]) == (before.hash, now.hash)
    newest = {each.key: each for each in now.rows}
    rows = [
        replace(newest[each.key], html=message["rows"][str(each.key)])
        if str(each.key) in message["rows"]
        else each
        for each in before.rows
    ]
    moved = {key: each for each in rows for key, _at in message["order"] if each.key == key}
    rows = [each for each in rows if each.key not in moved]
    for key, at in message["order"]:
        rows.insert(at, moved[key])
    ranks = [each.rank for each in before.rows]
    for at, rank in message["ranks"]:
        ranks[at] = rank
    rows = [replace_rank(each, rank) for each, rank in zip(rows, ranks, strict=True)]
    state, legend = message.get("state", before.state), message.get("legend", before.legend)
    return replace(before, rows=tuple(rows), state=state, legend=legend)


rows = st.builds(
    make_row,
    st.just(0),
    points=st.integers(0, 3).map(str),
    through=st.booleans(),
    ranked=st.booleans(),
    note=st.sampled_from(["", "By lots."]),
)


@st.composite
def leaderboards(draw: st.DrawFn, size: int) -> ShownLeaderboard:
    order = draw(st.permutations(range(size)))
    ranks = sorted(draw(st.lists(st.integers(1, 9), min_size=size, max_size=size)))
    lines = tuple(
        replace_rank(replace_key(draw(rows), key), rank)
        for key, rank in zip(order, ranks, strict=True)
    )
    return ShownLeaderboard(draw(st.sampled_from("ab")), lines, draw(st.sampled_from("ab")))


def replace_key(board_row: BoardRow, key: int) -> BoardRow:
    html = board_row.html.replace('id="r0"', f'id="r{key}"')
    return replace(board_row, key=key, look=(key, *board_row.look[1:]), html=html)


@given(st.integers(0, 8).flatmap(lambda size: st.tuples(leaderboards(size), leaderboards(size))))
def test_client_applying_updates_shows_the_latest_board(
    pair: tuple[ShownLeaderboard, ShownLeaderboard],
) -> None:
    before, now = pair
    assert apply_update(before, now) == now


def test_only_the_row_of_the_rising_player_is_moved() -> None:
    people = [make_row(n, str(100 - n)) for n in range(30)]
    risen = make_row(25, "99")
    found = sure(
        list_changes(
            make_leaderboard(*people),
            make_leaderboard(*people[:2], risen, *people[2:25], *people[26:]),
            7,
        )
    )
    assert found["order"] == [[25, 2]]
    assert found["rows"] == {"25": replace_rank(risen, 3).html}
    assert (found["ranks"], found["version"]) == ([], 7)
    assert not {"state", "legend"} & found.keys()


def test_only_changed_rows_are_sent() -> None:
    before, now = (
        make_row(1, "5", note="Behind Asha."),
        make_row(1, "5", through=True, ranked=False),
    )
    found = sure(
        list_changes(make_leaderboard(make_row(2), before), make_leaderboard(make_row(2), now), 1)
    )
    assert found["rows"] == {"1": replace_rank(now, 2).html}


@pytest.mark.parametrize(
    "now",
    [
        make_leaderboard(make_row(1)),
        make_leaderboard(make_row(1), make_row(2), make_row(3)),
        make_leaderboard(make_row(1), make_row(3)),
        replace(make_leaderboard(make_row(1), make_row(2)), frame="Another name"),
    ],
)
def test_change_of_players_or_frame_requires_the_whole_board(now: ShownLeaderboard) -> None:
    assert list_changes(make_leaderboard(make_row(1), make_row(2)), now, 1) is None


def test_identical_boards_have_the_same_hash() -> None:
    assert (
        make_leaderboard(make_row(1), make_row(2)).hash
        == make_leaderboard(make_row(1), make_row(2)).hash
    )
    others = [
        make_leaderboard(make_row(1), make_row(2), ranks=(1, 1)),
        make_leaderboard(make_row(2), make_row(1)),
        make_leaderboard(make_row(1), make_row(2, "1")),
        make_leaderboard(make_row(1), make_row(2), state="settled"),
        make_leaderboard(make_row(1), make_row(2), legend="x"),
        replace(make_leaderboard(make_row(1), make_row(2)), frame="Another name"),
    ]
    assert (
        len({each.hash for each in others} | {make_leaderboard(make_row(1), make_row(2)).hash}) == 7
    )


def test_unranked_row_shows_no_rank() -> None:
    assert '<span class="rank-number">–</span>' in make_row(1, ranked=False, rank=3).html
    assert '<span class="rank-number">3</span>' in make_row(1, rank=3).html


@pytest.mark.django_db
def test_u68_update_after_a_finished_hand_is_small() -> None:
    played = running_round(hand_limit=3, options=UNREACHABLE_TARGET)
    play(first_table(played), hands=1)
    event = Event.objects.get()
    before = read_news(event).shown
    play(first_table(played), hands=1)
    now = read_news(event).shown
    assert apply_update(before, now) == now
    assert before != now
    assert len(encode(list_changes(before, now, 1))) < 3000


@pytest.mark.django_db
def test_names_are_escaped() -> None:
    played = running_round(hand_limit=1)
    Registration.objects.update(name="<b>Asha</b> & 'Ben'")
    play(first_table(played))
    Registration.objects.update(name="<b>Asha</b> & 'Ben'")
    html = read_news(Event.objects.get()).shown.body
    assert "<b>" not in html
    assert html.count("<bdi>&lt;b&gt;Asha&lt;/b&gt; &amp; &#x27;Ben&#x27;</bdi>") == 4
