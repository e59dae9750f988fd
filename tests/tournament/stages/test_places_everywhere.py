"""Places of whole events, which must follow from the matches and be the same in every view.

A case combines a format, a rule set and an incident. The cases cover each pair of values. Pages are
checked only for a smaller number of cases, which cover each single value.
"""

import re

import hypothesis
import pytest
from django.urls import reverse

from tests.tournament import as_played, place_readers
from tests.tournament.organizing import page
from tests.tournament.place_readers import PlacesById, extract_words, fetch_page
from tests.tournament.played_out import (
    POSSIBLE_CASES,
    Case,
    choose_covering_cases,
    correct_last_table,
    list_combinations,
    play_out_case,
)
from tests.typed import sure
from tournament.events.closing.certificates import LAST_NAMED_PLACE
from tournament.events.closing.certificates import find_certified_places as certified
from tournament.events.closing.locking import lock_results
from tournament.hall.directory import find_player as person
from tournament.hall.sharing import make_event_preview, make_player_preview
from tournament.models import Event, Registration, Table, User
from tournament.pure.words import ordinal
from tournament.stages.winners import STEPS, winner

pytestmark = [pytest.mark.django_db, pytest.mark.patient]

CASES = list(choose_covering_cases(POSSIBLE_CASES))
READ_CASES = list(choose_covering_cases(CASES, 1))
IS_QUICK_RUN = sure(hypothesis.settings.default).max_examples < 30


def check_places(event: Event, expected: PlacesById | None = None) -> None:
    """Check that all views show the expected places.

    By default, the expected places are computed from the matches.
    """
    expected = expected or as_played.compute_places(event)
    for name, read_places in place_readers.COMPLETE_READERS.items():
        message = read_places(event)
        assert message == expected, name
        assert list(message.values()) == sorted(message.values()), name
    out = _list_disqualified(event)
    ranked = {pk: place for pk, place in expected.items() if pk not in out}
    for name, read_places in place_readers.RANKED_READERS.items():
        assert read_places(event) == ranked, name
    for name, read_places in place_readers.PARTIAL_READERS.items():
        message = read_places(event)
        assert message == {pk: expected[pk] for pk in message}, name
    first = {pk for pk, place in expected.items() if place == 1}
    names = set(event.registrations.filter(pk__in=first).values_list("name", flat=True))
    assert place_readers.read_winner_names(event) == place_readers.read_api_winners(event) == names
    known = {pk for pk, place in expected.items() if place <= STEPS and pk not in out}
    assert first <= place_readers.read_podium_places(event).keys() == known
    assert place_readers.read_certificate_places(event).keys() == known
    assert all(
        expected[pk] > LAST_NAMED_PLACE for pk, place in certified(event).items() if place is None
    )
    _check_final(event, expected, out)


def _list_disqualified(event: Event) -> set[int]:
    gone = event.registrations.filter(state=Registration.State.DISQUALIFIED)
    return set(gone.values_list("pk", flat=True))


def _check_final(event: Event, expected: PlacesById, out: set[int]) -> None:
    """Check that all finalists who are not disqualified rank ahead of the other players."""
    final = Table.objects.filter(round__is_final=True, round__stage__event=event)
    sat = set(final.filter(seats__registration__isnull=False).values_list("seats__registration"))
    inside = {pk for (pk,) in sat if pk} - out
    others = expected.keys() - inside - out
    assert not inside or {expected[pk] for pk in inside} <= set(range(1, len(inside) + 1))
    assert all(expected[pk] > len(inside) for pk in others)
    assert all(expected[pk] > len(expected) - len(out) for pk in out)
    at_table = place_readers.read_final_places(event)
    assert {pk: expected[pk] for pk in at_table if pk not in out} == {
        pk: place for pk, place in at_table.items() if pk not in out
    }


def check_pages(event: Event, organizer: User) -> None:
    """Check the places on public pages, players' own pages and organizers' pages."""
    expected, out = as_played.compute_places(event), _list_disqualified(event)
    for name, query in place_readers.BOARDS:
        result = place_readers.read_page_places(event, name, query)
        assert result == expected, (name, query)
        assert list(result.values()) == sorted(result.values())
    placed = {pk: place for pk, place in expected.items() if pk not in out}
    assert place_readers.read_desk_places(event, organizer, "standings") == placed
    assert place_readers.read_desk_places(event, organizer, "stood") == placed
    _check_winner(event, organizer)
    _check_podium(event, placed)
    _check_downloads(event, organizer, placed)
    for pk in {*list(expected)[:1], *out, *_list_first_three_and_last(expected)}:
        _check_pages_of_player(event, event.registrations.get(pk=pk), expected, out)


def _list_first_three_and_last(expected: PlacesById) -> list[int]:
    """Return the three players with the best places and the player with the last place."""
    best_first = sorted(expected, key=lambda pk: expected[pk])
    return [*best_first[:3], best_first[-1]]


def _check_winner(event: Event, organizer: User) -> None:
    won = sure(winner(event))
    for name in ("event", "event-bracket", "event-closing", "event-history"):
        words = extract_words(fetch_page(None, reverse(name, args=[event.slug])))
        assert all(one.name in words for one in won.shared), name
    assert won.sentence in extract_words(fetch_page(organizer, page("desk", event)))
    assert won.sentence in make_event_preview(event, won).text


def _check_podium(event: Event, placed: PlacesById) -> None:
    text = fetch_page(None, reverse("event-closing", args=[event.slug]))
    podium = re.split(r'<p class="(?:also|podium-foot)"', text)[0].split('<section class="podium"')[
        1
    ]
    steps = re.findall(r'<li class="step-(\d+)">(.*?)<p class="step">', podium, re.S)
    keys = {one.name: one.pk for one in event.registrations.all()}
    result = {pk: int(n) for n, step in steps for name, pk in keys.items() if f">{name}<" in step}
    assert result == {pk: place for pk, place in placed.items() if place <= STEPS}


def _check_downloads(event: Event, organizer: User, expected: PlacesById) -> None:
    text = fetch_page(organizer, page("export", event, "standings.csv"))
    rows = [line.split(",")[:2] for line in text.splitlines()[1:]]
    assert (
        place_readers.match_places_to_players(event, [(place, name) for place, name in rows])
        == expected
    )


def _check_pages_of_player(
    event: Event, one: Registration, expected: PlacesById, out: set[int]
) -> None:
    """Check all pages that show the place of one player."""
    place = expected[one.pk]
    found = sure(person(event, one.queue_number))
    text = make_player_preview(event, found).text
    address = reverse("event-player", args=[event.slug, one.queue_number])
    theirs = fetch_page(None, address)
    assert (f" {ordinal(place)} place · " in text) == (one.pk not in out)
    assert f'content="{text}' in theirs.replace("&#x27;", "'")
    assert f"Place {'–' if one.pk in out else place} " in extract_words(theirs)
    own, after = (
        extract_words(fetch_page(one.user, reverse(name, args=[event.slug])))
        for name in ("my-table", "after-match")
    )
    won = place == 1 and one.pk not in out
    assert ("You won!" in own or "You share the win with" in own) == won
    assert ("You won Cup!" in after) == won
    for message in (own, after):
        numbered = f"You finished {ordinal(place)} of {len(expected)} in Cup." in message
        assert numbered == (not won and one.pk not in out)
    everybody = fetch_page(None, reverse("event-people", args=[event.slug]))
    line = extract_words(everybody.split(f'id="p{one.queue_number}"')[1].split("</li>")[0])
    assert (f" {ordinal(place)} place " in f"{line} ") == (one.pk not in out)


def check_certificates(event: Event, organizer: User) -> None:
    """Check the places on certificates and on the pages that verify them."""
    lock_results(event, organizer, sure=True)
    expected, words = as_played.compute_places(event), ("first", "second", "third")
    held = event.registrations.filter(certificates__isnull=False)
    assert set(held.values_list("pk", flat=True)) == expected.keys() - _list_disqualified(event)
    assert not held.exclude(certificates__withdrawn_at=None).exists()
    for pk, code, place in held.values_list("pk", "certificates__code", "certificates__place"):
        assert place == (expected[pk] if expected[pk] <= LAST_NAMED_PLACE else None)
        proof = extract_words(fetch_page(None, reverse("certificate", args=[code])))
        result = f"{words[place - 1]} place" if place else "participant"
        assert f"Place {result} When" in proof


@pytest.mark.parametrize("case", READ_CASES if IS_QUICK_RUN else CASES, ids="-".join)
def test_every_view_shows_the_same_places(case: Case) -> None:
    event, organizer = play_out_case(case)
    check_places(event)
    if case[2] == "corrected":
        event = correct_last_table(event, organizer)
        check_places(event)
    if case in READ_CASES:
        check_pages(event, organizer)
        check_certificates(event, organizer)


def test_cases_cover_every_possible_pair_of_values() -> None:
    assert set().union(*map(list_combinations, CASES)) == set().union(
        *map(list_combinations, POSSIBLE_CASES)
    )
