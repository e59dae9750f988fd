"""Cards and shapes in templates."""

import json
import re

from django.template import Context, Template

from games.rules import explain
from games.rules.cards import NOTATION


def render(text: str, **context: object) -> str:
    return Template("{% load cards %}" + text).render(Context(context))


def test_a_card_is_an_image_with_its_name() -> None:
    assert render('{% card "R5" %}') == (
        '<svg class="card" role="img" aria-label="Red 5">'
        '<use href="/static/img/cards.svg#R5"/></svg>'
    )


def test_the_wild_of_an_ocho_deck_is_the_eight() -> None:
    faces = {key: render('{% card "W" key %}', key=key) for key in ("ocho", "uno-400", "")}
    found = {key: re.findall('#(.*?)"', html) for key, html in faces.items()}
    assert found == {"ocho": ["W8"], "uno-400": ["W"], "": ["W"]}


def test_house_rules_and_special_cards_come_in_the_rules_own_words() -> None:
    html = render('{% house_rules "uno-400" options %}', options={"target": 300})
    found = json.loads(html.partition(">")[2].rpartition("<")[0])
    assert found["changed"] == [{"title": "Target", "text": "The target is 300 points."}]
    assert [each["card"] for each in found["specials"]] == ["RS", "RR", "R+2", "W", "W+4"]
    assert found["specials"][0]["text"] == "Skip: The next player loses the turn."


def test_a_shape_is_decoration() -> None:
    assert render('{% shape "G" %}') == (
        '<svg class="shape shape-G" aria-hidden="true">'
        '<use href="/static/img/cards.svg#s-G"/></svg>'
    )


def test_scripts_get_the_name_of_every_card() -> None:
    html = render("{% card_names %}")
    names = json.loads(re.sub("<.*?>", "", html))
    assert names == {notation: explain.card_name(notation) for notation in NOTATION}


def test_a_rule_set_shows_each_special_card_of_its_deck_once() -> None:
    html = render(
        "{% rule_sets as all %}{% for rules, cards in all %}{{ rules.key }}:"
        "{% for one in cards %} {{ one }}{% endfor %};{% endfor %}"
    )
    shown = dict(line.split(":") for line in html.rstrip(";").split(";"))
    assert shown["ocho"].split() == ["RS", "YR", "G+2", "W", "W+4", "SH", "XR", "DR", "BB"]
    assert shown["ocho-cards"].split() == ["AS", "2H", "JD", "QC", "KS", "JK"]
    assert shown["uno-400"].split() == ["RS", "YR", "G+2", "W", "W+4"]
