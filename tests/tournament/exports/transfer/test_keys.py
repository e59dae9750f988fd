"""Tests that new ids are from a random range, so that no other machine assigns the same ones."""

import pytest

from tests.factories import make_event
from tests.tournament.staging import make_stage
from tournament.exports.transfer.keys import MAX_SKIPPED_RANGES, RANGE_SIZE, reserve_id_range
from tournament.models import Draw, Event, Stage

pytestmark = [pytest.mark.django_db, pytest.mark.sql]
# Largest integer that JavaScript represents exactly, Number.MAX_SAFE_INTEGER.
MAX_SAFE_INTEGER = 2**53 - 1


def fix_random_draw(monkeypatch: pytest.MonkeyPatch, lot: int) -> None:
    monkeypatch.setattr("tournament.exports.transfer.keys.secrets.randbelow", lambda _limit: lot)


def get_range_number(key: int) -> int:
    return key // RANGE_SIZE


@pytest.mark.parametrize("lot", [0, 1, MAX_SKIPPED_RANGES - 1])
def test_new_rows_of_all_models_share_a_random_id_range(
    monkeypatch: pytest.MonkeyPatch, lot: int
) -> None:
    old = make_event()
    make_stage(old)
    before = max(
        get_range_number(old.pk), *(get_range_number(stage.pk) for stage in Stage.objects.all())
    )
    fix_random_draw(monkeypatch, lot)
    reserve_id_range([Event, Stage])
    event = make_event()
    stage = make_stage(event)
    start = (before + 1 + lot) * RANGE_SIZE
    assert (event.pk, stage.pk) == (start + 1, start + 1)
    assert make_event().pk == start + 2
    assert Event.objects.filter(pk=old.pk).exists()


def test_models_without_rows_are_included(monkeypatch: pytest.MonkeyPatch) -> None:
    stage = make_stage(make_event())
    Draw.objects.all().delete()
    fix_random_draw(monkeypatch, 3)
    reserve_id_range([Draw])
    draw = Draw.objects.create(stage=stage, round_number=1, number=1, input="", digest="")
    assert draw.pk == 4 * RANGE_SIZE + 1


def test_next_id_range_is_above_the_highest_id(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    event = make_event()
    far = make_stage(event, pk=(get_range_number(event.pk) + 7) * RANGE_SIZE + 5)
    fix_random_draw(monkeypatch, 0)
    reserve_id_range([Event, Stage])
    assert get_range_number(make_event().pk) == get_range_number(far.pk) + 1


def test_many_id_ranges_fit_in_javascript_integers() -> None:
    assert MAX_SKIPPED_RANGES * RANGE_SIZE * 50 < MAX_SAFE_INTEGER
