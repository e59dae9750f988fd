"""Tests of players' reactions, which are stored, limited in number and shown once."""

from datetime import timedelta
from typing import Any

import pytest

from games import queries, services
from games.models import Match, Reaction
from games.protocol.reactions import REACTIONS
from games.seats import SeatNumber
from tests.games.helpers import begin

pytestmark = [pytest.mark.django_db, pytest.mark.sql]


@pytest.fixture
def match() -> Match:
    return begin(["R1 R2", "R3 G9"], "R5")


def send_reaction(match: Match, seat: int = 0, reaction: str = "laugh") -> services.Ack:
    return services.react(match.pk, SeatNumber(seat), reaction)


def backdate_reactions(**passed: float) -> None:
    """Backdate all reactions by the given time."""
    for reaction in Reaction.objects.all():
        reaction.at -= timedelta(**passed)
        reaction.save()


def list_stored_reactions() -> list[tuple[Any, ...]]:
    return list(Reaction.objects.values_list("seat__number", "shown"))


def test_u59_reaction_is_stored_with_its_seat(match: Match) -> None:
    assert send_reaction(match, 1, "good-game").version == match.version
    assert list_stored_reactions() == [(1, "good-game")]
    seat = match.seats.get(number=1)
    assert str(Reaction.objects.get()) == f"{seat}: good-game"


@pytest.mark.parametrize("reaction", ["", "Hello!", "SMILE"])
def test_u59_custom_reaction_text_is_refused(match: Match, reaction: str) -> None:
    with pytest.raises(services.RefusedError) as refused:
        send_reaction(match, 0, reaction)
    assert (refused.value.code, list_stored_reactions()) == ("reaction", [])


def test_u59_seat_waits_two_seconds_between_reactions(match: Match) -> None:
    send_reaction(match)
    with pytest.raises(services.RefusedError) as refused:
        send_reaction(match)
    assert refused.value.code == "too-often"
    send_reaction(match, 1)
    backdate_reactions(seconds=2.1)
    send_reaction(match)
    assert len(list_stored_reactions()) == 3


def test_u59_eight_reactions_per_minute_are_the_limit(match: Match) -> None:
    for shown in REACTIONS[:8]:
        send_reaction(match, 0, shown)
        backdate_reactions(seconds=3)
    with pytest.raises(services.RefusedError) as refused:
        send_reaction(match)
    assert (refused.value.code, len(list_stored_reactions())) == ("too-often", 8)
    backdate_reactions(minutes=1)
    send_reaction(match)


def test_reaction_is_sent_once_and_never_late(match: Match) -> None:
    send_reaction(match, 0, "wow")
    last, found = queries.reactions_after(match.pk, 0)
    assert found == [{"type": "reacted", "seat": 0, "shown": "wow"}]
    assert queries.reactions_after(match.pk, last) == (last, [])
    backdate_reactions(seconds=6)
    assert queries.reactions_after(match.pk, 0) == (0, [])


def test_reaction_is_not_sent_to_another_table(match: Match) -> None:
    send_reaction(match)
    other = begin(["R1 R2", "R3 G9"], "R5")
    assert queries.reactions_after(other.pk, 0) == (0, [])


def test_players_can_choose_from_nine_reactions() -> None:
    assert len(set(REACTIONS)) == 9
