"""Tests of template tags for cards, shapes, faces and other parts of game pages."""

import json
import re
from typing import Any

import pytest
from django.template import Context, Template

from games.protocol.faces import face_of
from games.rules.deck import roles
from games.rules.ruleset.rulesets import RULE_SETS
from games.templatetags.cards import Banner, face, first_banner


def render_template(text: str, **context: object) -> str:
    return Template("{% load cards %}" + text).render(Context(context))


def test_card_is_an_image_with_its_name() -> None:
    assert render_template('{% card "R5" %}') == (
        '<svg class="card" role="img" aria-label="Red 5">'
        '<use href="/static/img/cards.svg#R5"/></svg>'
    )


def test_wild_of_an_ocho_deck_looks_like_an_eight() -> None:
    found = {
        key: re.findall(
            '#(.*?)"', render_template('{% card "W" rules %}', rules=RULE_SETS.get(key))
        )
        for key in ("ocho", "uno-400", "")
    }
    assert found == {"ocho": ["W8"], "uno-400": ["W"], "": ["W"]}


def test_house_rules_and_special_cards_use_the_wording_of_the_rules() -> None:
    html = render_template('{% house_rules "uno-400" options %}', options={"target": 300})
    found = json.loads(html.partition(">")[2].rpartition("<")[0])
    assert found["changed"] == [{"title": "Target", "text": "The target is 300 points."}]
    assert [special["card"] for special in found["specials"]] == ["RS", "RR", "R+2", "W", "W+4"]
    assert found["specials"][0]["text"] == "Skip: The next player loses their turn."


def test_shape_is_decorative() -> None:
    assert render_template('{% shape "G" %}') == (
        '<svg class="shape shape-G" aria-hidden="true">'
        '<use href="/static/img/cards.svg#s-G"/></svg>'
    )


def render_deck(ruleset: str) -> Any:
    html = render_template("{% deck ruleset options %}", ruleset=ruleset, options={})
    return json.loads(re.sub("<.*?>", "", html))


def test_scripts_get_every_card_of_the_deck() -> None:
    cards = render_deck("ocho")["cards"]
    assert set(cards) == set(RULE_SETS["ocho"].pack.notation)
    wild = {
        "name": "Wild",
        "art": "W8",
        "color": 52,
        "number": 52,
        "points": 50,
        "letter": "",
        "signs": [],
    }
    assert cards["W"] == wild
    assert "AS" not in cards


def test_scripts_get_the_words_of_the_deck() -> None:
    message = {key: render_deck(key) for key in ("uno-400", "ocho-cards")}
    assert [deck["noun"] for deck in message.values()] == ["colour", "suit"]
    assert [deck["orders"] for deck in message.values()] == [
        {"arrival": "as drawn", "color": "by colour", "number": "by number"},
        {"arrival": "as drawn", "color": "by suit", "number": "by rank"},
    ]


@pytest.mark.parametrize(
    ("ruleset", "expected"),
    [
        ("ocho", {"R7": ("R", ["7"]), "G+2": ("G", ["+2", "Draw Two"]), "BB": ("B", [])}),
        ("ocho-cards", {"10D": ("D", ["10"]), "AS": ("S", ["A", "Ace"]), "JK": ("", [])}),
        ("crazy-eights", {"8H": ("H", ["8"]), "QC": ("C", ["Q", "Queen"])}),
    ],
)
def test_deck_gives_the_spoken_letter_and_signs_of_each_card(
    ruleset: str, expected: dict[str, tuple[str, list[str]]]
) -> None:
    cards = render_deck(ruleset)["cards"]
    assert {card: (cards[card]["letter"], cards[card]["signs"]) for card in expected} == expected


def test_example_card_of_a_deck_is_a_plain_number() -> None:
    for key, rules in RULE_SETS.items():
        assert rules.card(render_deck(key)["example"]).role is roles.NUMBER


def sort_cards(ruleset: str, hand: str, order: str) -> str:
    cards = render_deck(ruleset)["cards"]
    return " ".join(sorted(hand.split(), key=lambda card: cards[card][order]))


@pytest.mark.parametrize(
    ("ruleset", "order", "held"),
    [
        ("ocho", "color", "R5 RS R+2 DR Y9 G0 B2 BB W W+4"),
        ("ocho", "number", "G2 B2 R5 RS YR R+2 W"),
        ("ocho-cards", "color", "2S KS AH 10D 2C JK"),
        ("ocho-cards", "number", "2S 2C 10D AH KS JK"),
    ],
)
def test_deck_gives_the_sort_position_of_each_card(ruleset: str, order: str, held: str) -> None:
    assert sort_cards(ruleset, " ".join(sorted(held.split())), order) == held


def test_rule_set_lists_each_special_card_of_its_deck_once() -> None:
    html = render_template(
        "{% rule_sets as all %}{% for rules, cards in all %}{{ rules.key }}:"
        "{% for one in cards %} {{ one }}{% endfor %};{% endfor %}"
    )
    shown = dict(line.split(":") for line in html.rstrip(";").split(";"))
    assert shown["ocho"].split() == ["RS", "YR", "G+2", "W", "W+4", "SH", "XR", "DR", "BB"]
    assert shown["ocho-cards"].split() == ["AS", "2H", "JD", "QC", "KS", "JK"]
    assert shown["uno-400"].split() == ["RS", "YR", "G+2", "W", "W+4"]


def test_u58_face_is_an_initial_in_the_account_colour() -> None:
    looks = face_of("Asha", 7)
    wanted = f'<span class="face tone-{looks["tone"]}" aria-hidden="true">A</span>'
    assert face("Asha", 7) == wanted


def test_chosen_face_is_a_sign_on_its_colour() -> None:
    assert face("Asha", 7, "petrol owl") == (
        '<span class="face tone-2 sign-owl" aria-hidden="true"></span>'
    )


def test_u58_face_escapes_the_name() -> None:
    assert ">&lt;<" not in face("<b>", 1)
    assert face("<b>", 1).endswith(">B</span>")


@pytest.mark.parametrize(
    ("match", "viewer", "banner"),
    [
        ({}, None, None),
        ({}, {"text": ""}, None),
        ({}, {"text": "Five minutes late."}, Banner("viewer", "Five minutes late.")),
        ({"commentary": "It is told."}, None, Banner("watched", "It is told.")),
        ({"paused": True}, {"text": "Late."}, Banner("paused", "The table is paused.")),
    ],
)
def test_table_banner_is_rendered_with_the_page(
    match: dict[str, object], viewer: dict[str, str] | None, banner: Banner | None
) -> None:
    facts = {"paused": False, "commentary": "", **match}
    view: Any = {"match": facts, "viewer": viewer, "prompt": "The table is paused."}
    assert first_banner(view) == banner
    if viewer and banner and banner.code == "viewer":
        view["open"] = []
        assert first_banner(view) == Banner("commentary", banner.text)
