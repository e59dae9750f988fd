"""The samples of one hour, added up over all processes or by minute. No input or output."""

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from typing import NamedTuple

from games.process.figures import STEPS

MINUTES = 60
# A process counts as ended if it has stored no sample for this long.
SILENT_AFTER = timedelta(seconds=130)
LABELLED = re.compile(r'(\w+)="([^"]*)"')


class ProcessMinute(NamedTuple):
    """One sample of a process. Figures are keyed by name with labels.

    * `counts`: what the process has counted since its previous sample.
    * `levels`: current values.
    """

    process: str
    at: datetime
    counts: Mapping[str, float]
    levels: Mapping[str, float]


class Quantiles(NamedTuple):
    """The number of timings, and the seconds within which 50 % and 99 % of them finished."""

    number: int
    half: float
    most: float


@dataclass(frozen=True)
class Hour:
    """The samples of all processes in the hour before `now`."""

    now: datetime
    samples: Sequence[ProcessMinute]

    @property
    def last(self) -> list[ProcessMinute]:
        """The newest sample of each process that is still running."""
        newest = {each.process: each for each in self.samples if self.now - each.at < SILENT_AFTER}
        return [*newest.values()]

    def count_by_label(self, name: str, label: str) -> dict[str, float]:
        """Return the counts keyed by the value of one label, highest count first."""
        counts: dict[str, float] = defaultdict(float)
        for each in self.samples:
            for key, value in each.counts.items():
                if key.startswith(f"{name}{{"):
                    counts[dict(LABELLED.findall(key)).get(label, "")] += value
        return dict(sorted(counts.items(), key=lambda pair: -pair[1]))

    def sum_levels(self, name: str) -> float:
        """Return the sum of the current values of all running processes."""
        return sum(each.levels.get(name, 0.0) for each in self.last)

    def find_quantiles(self, name: str, **labels: str) -> Quantiles | None:
        """Return the quantiles of a histogram, or None if there are no timings."""
        return compute_quantiles(self.samples, name, labels)

    def minutes(self) -> list[list[ProcessMinute]]:
        """Return the samples of each of the last sixty minutes, oldest first."""
        samples_by_minute: list[list[ProcessMinute]] = [[] for _ in range(MINUTES)]
        for each in self.samples:
            minutes_ago = int((self.now - each.at) / timedelta(minutes=1))
            if 0 <= minutes_ago < MINUTES:
                samples_by_minute[MINUTES - 1 - minutes_ago].append(each)
        return samples_by_minute


def sum_level(samples: Iterable[ProcessMinute], name: str) -> float | None:
    """Return the sum of the values that all processes reported in one minute.

    Only the newest sample of each process counts. Returns None if no process reported.
    """
    newest = {each.process: each.levels[name] for each in samples if name in each.levels}
    return sum(newest.values()) if newest else None


def _has_labels(key: str, name: str, labels: Mapping[str, str]) -> bool:
    own, _brace, rest = key.partition("{")
    return own == name and labels.items() <= dict(LABELLED.findall(rest)).items()


def compute_quantiles(
    samples: Iterable[ProcessMinute], name: str, labels: Mapping[str, str]
) -> Quantiles | None:
    """Return the quantiles of a histogram, or None if there are no timings.

    Each bucket of the histogram counts the timings up to its limit.
    """
    counts: dict[float, float] = defaultdict(float)
    for each in samples:
        for key, value in each.counts.items():
            if _has_labels(key, f"{name}_bucket", labels):
                counts[float(dict(LABELLED.findall(key))["le"])] += value
    steps = [(step, counts[step]) for step in (*STEPS, float("inf"))]
    number = int(steps[-1][1])
    return (
        Quantiles(number, _interpolate_share(steps, 0.5), _interpolate_share(steps, 0.99))
        if number
        else None
    )


def _interpolate_share(steps: Sequence[tuple[float, float]], share: float) -> float:
    """Return the value that this share of the timings does not exceed.

    It is interpolated between the limits of a bucket. The last bucket has no upper limit, so its
    lower limit is returned.
    """
    target = share * steps[-1][1]
    for (low, before), (high, after) in pairwise([(0.0, 0.0), *steps]):
        if after >= target and after > before:
            value = low + (high - low) * (target - before) / (after - before)
            return low if high == float("inf") else value
    return steps[-1][0]
