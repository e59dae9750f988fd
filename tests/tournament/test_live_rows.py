"""The leaderboard in parts: what is told turns the one shown into the newest, and is short."""

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.live.sockets import encoded
from tests.factories import OUT_OF_REACH
from tests.protocol import valid
from tests.tournament.staging import first_table, play, running_round
from tests.typed import sure
from tournament.live.boards import board_context
from tournament.live.messages import RowNews
from tournament.live.rows import ROW, Row, Shown, news
from tournament.models import Event, Registration

PARTS = len(re.findall("data-part", ROW))


def row(key: int, points: int = 0, kind: str = "", ranked: bool = True, note: str = "") -> Row:
    return Row(key, points, kind, ranked, (*[""] * (PARTS - 1), note))


def shown(*rows: Row, ranks: tuple[int, ...] = (), state: str = "", foot: str = "") -> Shown:
    return Shown(state, rows, ranks or tuple(range(1, len(rows) + 1)), foot, "Cup")


def followed(before: Shown, now: Shown) -> Shown:
    """What somebody shows who showed the one and is told how to come to the other."""
    told = sure(news(before, now, 1))
    valid("Standings", told)
    assert (told["base"], told["hash"]) == (before.hash, now.hash)
    rows = [_renewed(each, told["rows"].get(str(each.key), {})) for each in before.rows]
    moved = {key: each for each in rows for key, _at in told["order"] if each.key == key}
    rows = [each for each in rows if each.key not in moved]
    for key, at in told["order"]:
        rows.insert(at, moved[key])
    ranks = list(before.ranks)
    for at, rank in told["ranks"]:
        ranks[at] = rank
    state, foot = told.get("state", before.state), told.get("foot", before.foot)
    return replace(before, rows=tuple(rows), ranks=tuple(ranks), state=state, foot=foot)


def _renewed(each: Row, told: RowNews) -> Row:
    parts = list(each.parts)
    for number, html in told.get("parts", {}).items():
        parts[int(number)] = html
    return Row(
        each.key,
        told.get("points", each.points),
        told.get("kind", each.kind),
        told.get("ranked", each.ranked),
        tuple(parts),
    )


rows = st.builds(
    row,
    st.just(0),
    points=st.integers(0, 3),
    kind=st.sampled_from(["", "through"]),
    ranked=st.booleans(),
    note=st.sampled_from(["", "By lots."]),
)


@st.composite
def boards(draw: st.DrawFn, size: int) -> Shown:
    order = draw(st.permutations(range(size)))
    ranks = sorted(draw(st.lists(st.integers(1, 9), min_size=size, max_size=size)))
    lines = tuple(replace(draw(rows), key=key) for key in order)
    return Shown(draw(st.sampled_from("ab")), lines, tuple(ranks), draw(st.sampled_from("ab")))


@given(st.integers(0, 8).flatmap(lambda size: st.tuples(boards(size), boards(size))))
def test_whoever_follows_shows_the_newest(pair: tuple[Shown, Shown]) -> None:
    before, now = pair
    assert followed(before, now) == now


def test_who_rises_by_many_places_is_the_only_one_that_moves() -> None:
    people = [row(n, 100 - n) for n in range(30)]
    risen = replace(people[25], points=99)
    told = sure(news(shown(*people), shown(*people[:2], risen, *people[2:25], *people[26:]), 7))
    assert told["order"] == [[25, 2]]
    assert told["rows"] == {"25": {"points": 99}}
    assert (told["ranks"], told["version"]) == ([], 7)
    assert not {"state", "foot"} & told.keys()


def test_only_the_parts_that_are_new_are_told() -> None:
    before, now = row(1, 5, note="Behind Asha."), row(1, 5, "through", ranked=False)
    told = sure(news(shown(before), shown(now), 1))
    changed = {"parts": {str(PARTS - 1): ""}, "kind": "through", "ranked": False}
    assert told["rows"] == {"1": changed}


@pytest.mark.parametrize(
    "now",
    [
        shown(row(1)),
        shown(row(1), row(2), row(3)),
        shown(row(1), row(3)),
        replace(shown(row(1), row(2)), frame="Another name"),
    ],
)
def test_other_people_or_another_frame_need_all_of_it(now: Shown) -> None:
    assert news(shown(row(1), row(2)), now, 1) is None


def test_what_looks_the_same_has_the_same_hash() -> None:
    assert shown(row(1), row(2)).hash == shown(row(1), row(2)).hash
    others = [
        shown(row(1), row(2), ranks=(1, 1)),
        shown(row(2), row(1)),
        shown(row(1), row(2, 1)),
        shown(row(1), row(2), state="settled"),
        shown(row(1), row(2), foot="x"),
        replace(shown(row(1), row(2)), frame="Another name"),
    ]
    assert len({each.hash for each in others} | {shown(row(1), row(2)).hash}) == 7


def test_a_row_without_a_rank_shows_none() -> None:
    assert '<span class="rank-number">–</span>' in row(1, ranked=False).html(3)
    assert '<span class="rank-number">3</span>' in row(1).html(3)


@pytest.mark.django_db
def test_u68_a_finished_hand_is_told_in_few_bytes() -> None:
    played = running_round(hand_limit=3, options=OUT_OF_REACH)
    play(first_table(played), hands=1)
    event = Event.objects.get()
    before = board_context(event)["shown"]
    play(first_table(played), hands=1)
    now = board_context(event)["shown"]
    assert followed(before, now) == now
    assert before != now
    assert len(encoded(news(before, now, 1))) < 600


@pytest.mark.django_db
def test_names_are_escaped_in_every_part() -> None:
    played = running_round(hand_limit=1)
    Registration.objects.update(name="<b>Asha</b> & 'Ben'")
    play(first_table(played))
    Registration.objects.update(name="<b>Asha</b> & 'Ben'")
    html = board_context(Event.objects.get())["shown"].body.decode()
    assert "<b>" not in html
    assert html.count("<bdi>&lt;b&gt;Asha&lt;/b&gt; &amp; &#x27;Ben&#x27;</bdi>") == 4
