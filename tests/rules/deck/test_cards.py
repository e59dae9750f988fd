import pytest

from games.rules.deck import roles
from games.rules.deck.decks import DECKS, all_notations, find_card


@pytest.mark.parametrize(
    ("deck", "size"),
    [
        ("uno-108", 108),
        ("ocho-108", 108),
        ("ocho-116", 116),
        ("two-packs", 108),
        ("original-54", 54),
    ],
)
def test_decks_have_the_expected_size(deck: str, size: int) -> None:
    assert sum(DECKS[deck].counts.values()) == size


def count_cards(deck: str) -> dict[str, int]:
    return {card.notation: count for card, count in DECKS[deck].counted}


def test_uno_deck_matches_the_list_of_rule_set_003() -> None:
    deck = count_cards("uno-108")
    assert {card: deck[card] for card in ("B0", "B1", "B9", "BS", "BR", "B+2", "W", "W+4")} == {
        "B0": 1,
        "B1": 2,
        "B9": 2,
        "BS": 2,
        "BR": 2,
        "B+2": 2,
        "W": 4,
        "W+4": 4,
    }
    for color in "RYGB":
        assert sum(n for card, n in deck.items() if card[0] == color and card[1:].isdigit()) == 19


def test_ocho_deck_has_eight_specials_instead_of_coloured_eights() -> None:
    uno, ocho = count_cards("uno-108"), count_cards("ocho-108")
    gone = {card for card in uno if card not in ocho}
    assert gone == {"R8", "Y8", "G8", "B8"}
    assert {card: n for card, n in ocho.items() if card not in uno} == dict.fromkeys(
        ["SH", "XR", "DR", "BB"], 2
    )


def test_larger_ocho_deck_keeps_the_eights() -> None:
    extra = {c: n for c, n in count_cards("ocho-116").items() if c not in count_cards("ocho-108")}
    assert extra == {"R8": 2, "Y8": 2, "G8": 2, "B8": 2}


def test_two_packs_contain_every_card_twice_and_four_jokers() -> None:
    deck = count_cards("two-packs")
    assert deck.pop("JK") == 4
    assert len(deck) == 52
    assert set(deck.values()) == {2}


def test_original_deck_matches_the_list_of_its_author() -> None:
    deck = count_cards("original-54")
    assert [deck.get(card, 0) for card in ("JK", "JH", "KS", "7D", "6D", "2S", "10S", "7H")] == [
        1,
        0,
        1,
        2,
        0,
        2,
        2,
        2,
    ]


@pytest.mark.parametrize(
    ("card", "points"),
    [
        ("R0", 0),
        ("G9", 9),
        ("BS", 20),
        ("YR", 20),
        ("R+2", 20),
        ("W", 50),
        ("W+4", 50),
        ("SH", 50),
        ("XR", 50),
        ("DR", 20),
        ("BB", 20),
        ("AS", 20),
        ("2H", 20),
        ("3D", 3),
        ("10C", 10),
        ("JS", 50),
        ("QH", 50),
        ("KD", 50),
        ("JK", 50),
    ],
)
def test_cards_have_the_expected_points(card: str, points: int) -> None:
    assert find_card(card).points == points


def test_card_notation_survives_a_round_trip() -> None:
    assert [find_card(name).notation for name in all_notations()] == all_notations()


@pytest.mark.parametrize("text", ["", "r5", "R10", "5R", "1S", "JKR", "W+2", None, 5, ["R5"]])
def test_error_names_the_invalid_notation(text: object) -> None:
    with pytest.raises(ValueError, match="is not a card") as caught:
        find_card(text)
    assert repr(text) in str(caught.value)


def test_face_cards_are_wilds_with_a_suit() -> None:
    faces = [card.notation for card in DECKS["two-packs"].cards if card.colored_wild]
    assert faces == [rank + suit for suit in "SHDC" for rank in "JQK"]
    assert find_card("W").role is roles.WILD
    assert not find_card("W").colored_wild
