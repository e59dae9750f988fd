"""Tests of the rules pages, which describe the rules that the engine applies."""

import pytest
from django.test import Client
from django.urls import reverse

from games.rules.ruleset import rulesets
from games.rules.words import explain
from games.rules.words.explain import Item
from tests.factories import make_event
from tests.typed import Response

pytestmark = pytest.mark.django_db
RULE_SETS = list(rulesets.RULE_SETS)


def list_items(response: Response) -> list[Item]:
    return [item for part in response.context["parts"] for item in part.items]


def test_overview_lists_every_rule_set(client: Client) -> None:
    response = client.get(reverse("rule-sets"))
    assert [rules.key for rules, _ in response.context["rule_sets"]] == RULE_SETS


@pytest.mark.parametrize("key", RULE_SETS)
def test_rules_page_has_every_sentence_from_the_engine(client: Client, key: str) -> None:
    response = client.get(reverse("rules", args=[key]))
    shown = [
        [part.title, *part.paragraphs, *(i.sentence for i in part.items)]
        for part in response.context["parts"]
    ]
    found = [
        [section.title, *section.paragraphs, *(item.sentence for item in section.items)]
        for section in explain.rules_page(rulesets.RULE_SETS[key])
    ]
    for part, section in zip(shown, found, strict=True):
        assert len(part) == len(section)
        assert all(whole.endswith(text) for text, whole in zip(part, section, strict=True))


@pytest.mark.parametrize("key", RULE_SETS)
def test_every_special_card_has_a_picture(client: Client, key: str) -> None:
    response = client.get(reverse("rules", args=[key]))
    [special] = [p for p in response.context["parts"] if p.title == "Special cards"]
    assert special.items
    assert all(item.card for item in special.items)
    assert len({item.card for item in special.items}) == len(special.items)
    page = response.content.decode()
    assert all(f"#{item.card}" in page for item in special.items if item.card != "W")


def test_line_about_several_cards_has_no_picture(client: Client) -> None:
    response = client.get(reverse("rules", args=["ocho-cards"]))
    lines = [item for item in list_items(response) if "points." in item.text]
    assert lines
    assert [line for line in lines if line.card] == []


def test_unknown_rule_set_is_not_found(client: Client) -> None:
    assert client.get("/rules/whist/").status_code == 404


def test_event_rules_list_the_changes_made_by_organizers(client: Client) -> None:
    event = make_event(title="House cup", options={"target": 250, "stacking": "any-draw"})
    response = client.get(reverse("event-rules", args=[event.slug]))
    page = response.content.decode()
    assert [title for title, _ in response.context["changed"]] == [
        rulesets.OPTIONS[name].title for name in ("stacking", "target")
    ]
    assert "House rules" in page
    assert "The target is 250 points." in page
    assert "House cup" in page


def test_event_without_rule_changes_has_no_house_rules(client: Client) -> None:
    event = make_event()
    page = client.get(reverse("event-rules", args=[event.slug])).content.decode()
    assert "House rules" not in page


def test_blank_card_is_named_by_its_label(client: Client) -> None:
    event = make_event(
        options={"blanks": 2, "blank_rule": "draw-one", "blank_name": "Rain"}, ruleset="uno-500"
    )
    response = client.get(reverse("event-rules", args=[event.slug]))
    assert ("Rain", "BLANK") in [(item.title, item.card) for item in list_items(response)]


def test_consequences_of_forfeits_and_disqualification_are_explained(client: Client) -> None:
    event = make_event(forfeits="kept", disqualified="last", missed_rounds="loss")
    page = client.get(reverse("event-rules", args=[event.slug])).content.decode()
    assert (
        "A player who forfeits a match gets the points from earlier hands and last "
        "place. A disqualified player’s matches count as forfeits. A missed round "
        "counts as a lost match. With equal points, the player who missed fewer rounds is ahead. "
        "A bye counts as the player’s average points per match. "
        "Substitutes play for the player they replace."
    ) in page


def test_rules_say_that_a_missed_round_is_a_loss_if_fewest_points_win(client: Client) -> None:
    event = make_event(options={"scoring": "lowest"}, missed_rounds="nothing")
    page = client.get(reverse("event-rules", args=[event.slug])).content.decode()
    assert "A missed round counts as a lost match, because points per match decide." in page
