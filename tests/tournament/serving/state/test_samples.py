"""Samples of a process's figures, stored once a minute."""

from datetime import timedelta

import pytest
from django.db import OperationalError
from django.utils import timezone

from games.models import Sample, SampledFigures
from games.process import Process
from games.process.figures import ProcessFigures
from tournament.serving.state.samples import KEPT, UNATTENDED_AFTER, is_attended, store_sample

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sql]
ACTIONS = 'lastcard_answer_seconds_count{message="action"}'


def test_sample_contains_the_counts_since_the_previous_one(process: Process) -> None:
    figures = process.part(ProcessFigures)
    figures.count_answer("action", 0.01)
    store_sample()
    figures.count_answer("action", 0.01)
    figures.count_answer("action", 0.01)
    store_sample()
    store_sample()
    stored = [each.figures for each in Sample.objects.order_by("pk")]
    assert [each.counts.get(ACTIONS) for each in stored] == [1, 2, None]
    assert [each.levels["lastcard_sockets"] for each in stored] == [0, 0, 0]


def test_counts_that_could_not_be_written_are_in_the_next_sample(
    process: Process, monkeypatch: pytest.MonkeyPatch
) -> None:
    def raise_disk_full(**_given: object) -> None:
        raise OperationalError("the disk is full")

    process.part(ProcessFigures).count_answer("action", 0.01)
    with monkeypatch.context() as patch:
        patch.setattr(Sample.objects, "create", raise_disk_full)
        with pytest.raises(OperationalError, match="full"):
            store_sample()
    store_sample()
    assert Sample.objects.get().figures.counts[ACTIONS] == 1


def test_old_samples_are_deleted(process: Process) -> None:
    old = timezone.now() - KEPT - timedelta(minutes=1)
    Sample.objects.create(process="gone", at=old, figures=SampledFigures())
    store_sample()
    assert Sample.objects.get().process == process.key


@pytest.mark.parametrize(
    ("counts", "levels", "attended"),
    [
        ({}, {"lastcard_sockets": 0}, False),
        ({}, {"lastcard_sockets": 1}, True),
        ({'lastcard_page_seconds_count{status="200"}': 1}, {}, True),
        ({ACTIONS: 9}, {}, False),
    ],
)
def test_site_is_attended_while_pages_or_windows_are_open(
    counts: dict[str, float], levels: dict[str, float], attended: bool
) -> None:
    now = timezone.now()
    figures = SampledFigures(counts, levels)
    Sample.objects.create(process="a", at=now, figures=figures)
    assert is_attended() is attended


def test_site_without_recent_visitors_is_unattended() -> None:
    earlier = timezone.now() - UNATTENDED_AFTER - timedelta(seconds=1)
    visited = SampledFigures({}, {"lastcard_sockets": 1})
    Sample.objects.create(process="a", at=earlier, figures=visited)
    Sample.objects.create(process="a", at=timezone.now(), figures=SampledFigures())
    assert not is_attended()


def test_site_without_samples_counts_as_attended() -> None:
    assert is_attended()
