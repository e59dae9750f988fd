import pytest

from games.rules.actions.actions import Action, InvalidActionError


@pytest.mark.parametrize(
    "data",
    [
        {"play": "R5"},
        {"play": "W", "color": "G"},
        {"play": "R5", "uno": True},
        {"play": "8H", "ocho": True},
        {"play": "BLANK", "color": "R", "with": 2},
        {"play": "BLANK", "color": "R", "with": 0},
        {"draw": True},
        {"pass": True},
        {"choose": "G"},
        {"challenge": True},
        {"call": True},
        {"catch": 0},
        {"catch": 9},
    ],
)
def test_action_survives_a_json_round_trip(data: dict[str, object]) -> None:
    assert Action.from_json(data).to_json() == data


@pytest.mark.parametrize(
    ("data", "message"),
    [
        (None, "An action is an object"),
        ([], "An action is an object"),
        ("draw", "An action is an object"),
        ({}, "this one has none of them"),
        ({"play": "R5", "draw": True}, "this one has play and draw"),
        ({"draw": False}, '"draw" is False: it can only be true'),
        ({"draw": 1}, '"draw" is 1: it can only be true'),
        ({"play": "Q9"}, "'Q9' is not a card"),
        ({"play": None}, "None is not a card"),
        ({"play": "R5", "uno": 1}, '"uno" is 1: it can only be true or false'),
        ({"play": "W", "color": "green"}, "\"color\" is 'green'"),
        ({"play": "W", "color": None}, '"color" is None'),
        ({"choose": ""}, "\"choose\" is ''"),
        ({"catch": -1}, '"catch" is -1: it must be the number of a seat'),
        ({"catch": True}, '"catch" is True'),
        ({"catch": "2"}, "\"catch\" is '2'"),
        ({"play": "BLANK", "with": -1}, '"with" is -1'),
        ({"draw": True, "color": "R"}, "has no key 'color'"),
        ({"play": "R5", "seat": 1}, "has no key 'seat'"),
        ({"__proto__": {}, "draw": True}, "has no key '__proto__'"),
    ],
)
def test_malformed_action_is_refused_with_a_reason(data: object, message: str) -> None:
    with pytest.raises(InvalidActionError) as caught:
        Action.from_json(data)
    assert message in str(caught.value)
