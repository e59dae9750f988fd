"""F30: names that reorder the text around them or imitate another player's name."""

import pytest

from games import store
from tests.factories import (
    make_event,
    make_user,
)
from tests.games.helpers import act, begin
from tests.games.viewing import (
    get_view,
)
from tests.tournament.helpers import get_refusal_code
from tournament.registration.services import register

pytestmark = pytest.mark.django_db


def test_lookalike_name_is_refused() -> None:
    event = make_event()
    register(event, make_user(), roll_number="R1", name="Rohan I")
    assert (
        get_refusal_code(register, event, make_user(), roll_number="R2", name="Rоhan l")
        == "name-taken"
    )


def test_right_to_left_name_does_not_reorder_surrounding_text() -> None:
    match = begin(["R1 R2", "R4 R5"], "R7")
    match.seats.filter(number=0).update(name="ليلى")
    store.forget(match.pk)
    act(match, 0, {"play": "R1"})
    shown = get_view(match, 1)
    assert shown["seats"][0]["name"] == "\u2068ليلى\u2069"
    assert shown["last"] == "\u2068ليلى\u2069 plays Red 1."
    assert shown["log"][-1]["text"] == shown["last"]
