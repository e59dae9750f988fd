"""Figures that each process stores once a minute, so that any process can report on all of them.

A row per minute costs less than shared memory, and survives a restart.
"""

import asyncio
import contextlib
import logging
import time
from collections.abc import AsyncIterator, Mapping
from datetime import timedelta

from django.utils import timezone

from games.models import Sample, SampledFigures
from games.process import Process, here, run_in_database_thread
from games.process.components import Component
from games.process.db import DATABASE_DOWN
from tournament.serving.health import Readiness
from tournament.serving.metrics import collect_families

logger = logging.getLogger(__name__)

EVERY_SECONDS = 60.0
FIRST_AFTER = 5.0
KEPT = timedelta(hours=3)
# A site without visitors for this long is unattended. Longer than the time between two samples.
UNATTENDED_AFTER = timedelta(minutes=3)
COUNTED = ("counter", "histogram")


class SampledCounts(Component):
    """The counts of this process at the time of its last sample."""

    def __init__(self) -> None:
        self.previous: Mapping[str, float] = {}


@contextlib.asynccontextmanager
async def take_samples(process: Process) -> AsyncIterator[None]:
    """Store a sample every minute while the site is running."""
    task = asyncio.create_task(_sample_every_minute(process))
    try:
        yield
    finally:
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)


async def _sample_every_minute(process: Process) -> None:
    await asyncio.sleep(FIRST_AFTER)
    while True:
        try:
            await process.part(Readiness).find_faults(process)
            await run_in_database_thread(store_sample)
        except DATABASE_DOWN as error:
            logger.info("No sample of the last minute: %s", error)
        except Exception:
            logger.exception("No sample of the last minute")
        # All processes take samples at whole minutes, so that the samples can be added up.
        await asyncio.sleep(EVERY_SECONDS - time.time() % EVERY_SECONDS)


def store_sample() -> None:
    """Store what this process has counted since its last sample, and delete old samples.

    Counts that cannot be stored are included in the next sample.
    """
    counted, levels = read_figures(here())
    past = here().part(SampledCounts)
    since = {name: value - past.previous.get(name, 0.0) for name, value in counted.items()}
    counts = {name: value for name, value in since.items() if value > 0}
    now = timezone.now()
    Sample.objects.create(process=here().key, at=now, figures=SampledFigures(counts, levels))
    past.previous = counted
    Sample.objects.filter(at__lt=now - KEPT).delete()


def is_attended() -> bool:
    """Return whether a page was requested or a window was open in the last few minutes.

    A site without samples counts as attended.
    """
    recent = Sample.objects.filter(at__gt=timezone.now() - UNATTENDED_AFTER)
    sampled = list(recent.values_list("figures", flat=True))
    return not sampled or any(_has_visitors(figures) for figures in sampled)


def _has_visitors(figures: SampledFigures) -> bool:
    pages = any(name.startswith("lastcard_page_seconds_count") for name in figures.counts)
    return pages or figures.levels.get("lastcard_sockets", 0) > 0


def read_figures(process: Process) -> tuple[dict[str, float], dict[str, float]]:
    """Return the counts since the process started, and the current values.

    Both are keyed by name with labels.
    """
    counted: dict[str, float] = {}
    levels: dict[str, float] = {}
    for family in collect_families(process):
        target = counted if family.type in COUNTED else levels
        samples = [each for each in family.samples if not each.name.endswith("_created")]
        target |= {format_name(each.name, each.labels): each.value for each in samples}
    return counted, levels


def format_name(name: str, labels: Mapping[str, str]) -> str:
    """Format a name like Prometheus, such as `lastcard_faults{code="disk"}`."""
    pairs = ",".join(f'{key}="{value}"' for key, value in sorted(labels.items()))
    return f"{name}{{{pairs}}}" if pairs else name
