"""Signing keys of players' devices, which the public history records when a round closes."""

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from games import services as games
from games.matches.spec import SHARE_SECONDS
from games.models import Match
from games.rules.fair.deal import DealKey
from games.rules.fair.signatures import key_fingerprint
from tests.games.dealing import make_commitment, make_share_target, open_share
from tests.signing import DEVICES, DeviceSigner, make_p256_device
from tests.tournament.helpers import first_stage, make_organized_event
from tests.tournament.staging import match_of
from tests.typed import sure
from tournament.corrections.rounds import reopen_round
from tournament.models import Event, HistoryEntry, LogAction, Round, User
from tournament.oversight.history_texts import history
from tournament.privacy.services import anonymize_person
from tournament.rounds.devices import load_recorded_keys, record_devices
from tournament.rounds.services import close_round, start_round
from tournament.seating.services import publish_round, seat_round

pytestmark = [pytest.mark.django_db, pytest.mark.sql]

# The players' signing devices, by registration.
Phones = dict[int, DeviceSigner]


@pytest.fixture(autouse=True)
def wait_for_first_shares(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make first deals wait for the players' shares, as they do outside tests."""
    monkeypatch.setattr("games.services.SHARE_SECONDS", SHARE_SECONDS)


@pytest.fixture
def event_and_organizer() -> tuple[Event, User]:
    return make_organized_event(2, hand_limit=1)


def make_phones(event: Event) -> Phones:
    """Return devices for the players, one of each kind."""
    players = event.registrations.order_by("pk").values_list("pk", flat=True)
    return {key: make() for key, make in zip(players, DEVICES, strict=True)}


def describe_changed_device(name: str, key: str) -> str:
    return f"Round 2: the device that signs for {name} ({key_fingerprint(key)}) has changed."


def play_signed_round(event: Event, organizer: User, phones: Phones) -> dict[int, str]:
    """Play another round with these devices, and return their keys by registration."""
    stage = first_stage(event)
    played = start_round(publish_round(seat_round(stage, organizer), organizer), organizer)
    table = played.tables.get()
    match, seats = match_of(table), table.seats.exclude(registration=None)
    chairs = {seat.number: sure(seat.registration_id) for seat in seats}
    keys = {key: _commit_signed_share(match, seat, phones.get(key)) for seat, key in chairs.items()}
    for seat in chairs:
        open_share(match, seat)
    games.play_out(match)
    close_round(played, organizer)
    return {key: by for key, by in keys.items() if by}


def _commit_signed_share(match: Match, seat: int, device: DeviceSigner | None) -> str:
    """Commit to a share for this seat, and return the key of the device that signed it.

    Without a device, return "".
    """
    made, named = make_commitment(match, seat), make_share_target(match, seat)
    draw = DealKey(match.public_id, named.hand, named.attempt)
    by = device(draw, seat, made) if device else None
    games.commit_share(match.pk, named, made, signed=by)
    return by.key if by else ""


def list_device_entries(event: Event) -> list[HistoryEntry]:
    return list(event.history.filter(action=LogAction.DEVICES).order_by("number"))


def get_newest_device_text(event: Event) -> str:
    """Return the text of the latest history row about devices."""
    number = list_device_entries(event)[-1].number
    return next(row.text for row in history(event).rows if row.number == number)


def test_device_keys_are_recorded_when_a_round_closes(
    event_and_organizer: tuple[Event, User],
) -> None:
    event, organizer = event_and_organizer
    keys = play_signed_round(event, organizer, make_phones(event))
    (row,) = list_device_entries(event)
    assert row.facts["keys"] == {str(key): [by] for key, by in keys.items()}
    assert (row.role, row.facts["again"]) == ("site", [])
    assert (
        get_newest_device_text(event)
        == "Round 1: the signing keys of 2 players’ devices were recorded."
    )


def test_known_device_is_not_recorded_again(event_and_organizer: tuple[Event, User]) -> None:
    event, organizer = event_and_organizer
    phones = make_phones(event)
    for _round in range(2):
        play_signed_round(event, organizer, phones)
    assert len(list_device_entries(event)) == 1


def test_closing_a_reopened_round_records_no_key_twice(
    event_and_organizer: tuple[Event, User],
) -> None:
    event, organizer = event_and_organizer
    play_signed_round(event, organizer, make_phones(event))
    played = Round.objects.get(stage__event=event)
    reopen_round(played, organizer, "A result was wrong.")
    with CaptureQueriesContext(connection) as few:
        record_devices(event, played)
    close_round(played, organizer)
    assert (len(list_device_entries(event)), len(few)) == (1, 3)


def test_history_names_no_anonymized_player_next_to_a_key(
    event_and_organizer: tuple[Event, User],
) -> None:
    event, organizer = event_and_organizer
    phones = make_phones(event)
    play_signed_round(event, organizer, phones)
    asha = event.registrations.earliest("pk")
    keys = play_signed_round(event, organizer, phones | {asha.pk: make_p256_device()})
    name = asha.name
    anonymize_person(asha, organizer, "Wishes to be forgotten.")
    asha.refresh_from_db()
    assert asha.name not in ("", name)
    text = describe_changed_device(asha.name, keys[asha.pk])
    assert get_newest_device_text(event) == text


def test_history_reports_a_changed_device_with_player_and_key(
    event_and_organizer: tuple[Event, User],
) -> None:
    event, organizer = event_and_organizer
    phones = make_phones(event)
    before = play_signed_round(event, organizer, phones)
    asha = event.registrations.earliest("pk")
    keys = play_signed_round(event, organizer, phones | {asha.pk: make_p256_device()})
    assert list_device_entries(event)[-1].facts["keys"] == {str(asha.pk): [keys[asha.pk]]}
    assert get_newest_device_text(event) == describe_changed_device(asha.name, keys[asha.pk])
    assert load_recorded_keys(event)[asha.pk] == [before[asha.pk], keys[asha.pk]]


def test_nothing_is_recorded_if_no_device_signed(
    event_and_organizer: tuple[Event, User],
) -> None:
    event, organizer = event_and_organizer
    play_signed_round(event, organizer, {})
    assert list_device_entries(event) == []
