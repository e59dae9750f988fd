"""Tests of what screen readers read aloud, based on Chromium's accessibility tree."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from games import services
from games.models import Match
from tests.browser import tables
from tests.browser.conftest import DESKTOP, PHONE, Windows
from tests.browser.doubts import make_event_with_close_cut
from tests.browser.tables import deal, open_seat
from tournament.standings.queries import leaderboard
from tournament.web.live.rows import describe_rank

pytestmark = pytest.mark.browser

# Mostly names written from right to left, one with a digit and one with brackets.
NAMES = ["سارة 7", "דוד (כהן)", "Asha", "محمد"]
SILENT_ROLES = {"none", "generic", "InlineTextBox", "StaticText"}


def read_accessibility_tree(page: Page) -> list[tuple[str, str]]:
    """Return the role and name of each node in reading order, without ignored nodes."""
    session = page.context.new_cdp_session(page)
    nodes = session.send("Accessibility.getFullAXTree")["nodes"]
    by_id = {node["nodeId"]: node for node in nodes}

    def describe_node(node: dict[str, Any]) -> list[tuple[str, str]]:
        role, name = (node.get(key, {}).get("value", "") for key in ("role", "name"))
        own = [] if node.get("ignored") or role in SILENT_ROLES else [(str(role), str(name))]
        below = (by_id[key] for key in node.get("childIds", []) if key in by_id)
        return own + [found for child in below for found in describe_node(child)]

    return describe_node(nodes[0])


def start_partner_match(monkeypatch: pytest.MonkeyPatch) -> Match:
    monkeypatch.setattr(tables, "PEOPLE", NAMES)
    options = {"partners": True, "uno_penalty": 0}
    return deal(["R7 G4", "R1 R2", "", ""], ruleset="uno-500", options=options)


def test_reading_order_is_opponents_then_piles_then_own_cards(
    open_page: Windows, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = open_seat(open_page, start_partner_match(monkeypatch))
    names = [name for _role, name in read_accessibility_tree(page)]
    text = page.evaluate("[...document.querySelectorAll('.seat > .vh')].map((e) => e.textContent)")
    assert [each.split(",")[0] for each in text] == [
        "\u2068דוד (כהן)\u2069",
        "Asha",
        "\u2068محمد\u2069",
    ]
    order = ["Draw pile, 99 cards. Draw", "Top card: Red 5", "You", "Your cards"]
    order += ["Red 7, playable, 1 of 2", "Green 4, not playable, 2 of 2", "Actions", "Draw"]
    assert [name for name in names if name in order] == order


def test_every_image_and_button_at_the_table_has_an_accessible_name(
    open_page: Windows, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = open_seat(open_page, start_partner_match(monkeypatch))
    assert [
        each for each in read_accessibility_tree(page) if each in {("image", ""), ("button", "")}
    ] == []


def test_results_and_replays_name_every_player_in_column_headers(
    open_page: Windows, monkeypatch: pytest.MonkeyPatch
) -> None:
    match = services.play_out(start_partner_match(monkeypatch))
    page = open_page(path=f"{match.get_absolute_url()}result/")
    read = read_accessibility_tree(page)
    heads = [name for role, name in read if role == "columnheader"]
    assert heads == ["Place", "Player", "Points", "Hand", *NAMES]
    assert ("image", "") not in read
    page.goto(f"{match.get_absolute_url()}hands/1/")
    assert ("image", "") not in read_accessibility_tree(page)


@pytest.mark.parametrize("text", ["", "?text=1"])
def test_game_is_inside_the_only_main_landmark(
    open_page: Windows, monkeypatch: pytest.MonkeyPatch, text: str
) -> None:
    match = start_partner_match(monkeypatch)
    page = open_seat(open_page, match)
    page.goto(match.get_absolute_url() + text)
    expect(page.locator("#words" if text else ".card-button").first).to_be_visible()
    assert [role for role, _name in read_accessibility_tree(page)].count("main") == 1
    main = page.get_by_role("main")
    for part in ["#words"] if text else ["#stage", "#me", "#hand", "#actions"]:
        expect(main.locator(part)).to_be_attached()


# The chances in `make_event_with_close_cut` as screen readers read them, in order of rank.
CHANCE_TEXTS = [
    "safe",
    "60%",
    "eliminated why? (last player above the line)",
    "eliminated",
    "safe why?",
    "40%",
    *["eliminated"] * 2,
]


def read_leaderboard_rows(page: Page) -> list[list[str]]:
    """Return the cells of each leaderboard row as screen readers read them."""
    rows: list[list[str]] = []
    for role, name in read_accessibility_tree(page):
        if role == "row":
            rows.append([])
        elif role in {"columnheader", "rowheader", "cell"}:
            rows[-1].append(name)
    return rows


@pytest.mark.django_db(transaction=True)
def test_leaderboard_rows_are_read_with_their_marks_and_cut_line(
    open_page: Windows, few_deals: None
) -> None:
    rows = leaderboard(make_event_with_close_cut()).rows
    ranks, names = [], []
    for row, above, chance in zip(rows, [None, *rows], CHANCE_TEXTS, strict=False):
        ranks.append(f"{row.rank}{' tied' * row.tied}" if row.matches else "–")
        expected = (
            f"{row.name} (still playing) Chance of advancing: {chance} {describe_rank(row, above)}"
        )
        names.append(expected.strip())
    heads = ["Place", "Player", "Points", "Matches", "Won"]
    wide = [
        [rank, name, str(row.points), str(row.matches), "0"]
        for rank, name, row in zip(ranks, names, rows, strict=True)
    ]
    own = rows[3].registration
    page = open_page(own.user, size=DESKTOP, path="/e/doubtful/leaderboard/")
    assert read_leaderboard_rows(page) == [heads, *wide]
    assert page.locator("tr[aria-current=true]").get_attribute("id") == f"r{own.pk}"
    page.emulate_media(media="print")
    assert read_leaderboard_rows(page) == [heads, *wide]
    assert ("image", "") not in read_accessibility_tree(page)
    page.emulate_media(media="screen")
    page.set_viewport_size(PHONE)
    assert [row[0] for row in read_leaderboard_rows(page)] == ["Place", *ranks]
    assert [len(row) for row in read_leaderboard_rows(page)] == [3] * 9
    page.goto("/e/doubtful/leaderboard/?view=hall")
    assert [row[0] for row in read_leaderboard_rows(page)] == ["Place", *ranks]
