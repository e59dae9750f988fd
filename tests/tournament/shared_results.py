"""Shared loading of results, for tests that compare many views of the same tables."""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import pytest

from tournament.models import Event, Round, Stage, Table
from tournament.results import queries, stages
from tournament.results.rows import Scope

ResultType = TypeVar("ResultType")


@contextmanager
def load_results_once() -> Iterator[None]:
    """Load the results of the same tables only once within this block.

    All views read them with the same functions, whose queries take most of the time. The views
    still compute everything else separately.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stages, "rounds_of", _cache_results(queries.rounds_of, _identify_scope))
        patch.setattr(
            stages, "results_of_rounds", _cache_results(stages.results_of_rounds, _identify_rounds)
        )
        patch.setattr(
            queries, "_load_results", _cache_results(queries._load_results, _identify_tables)
        )
        yield


def _cache_results(
    load: Callable[..., ResultType], identify: Callable[..., Hashable]
) -> Callable[..., ResultType]:
    found: dict[Hashable, ResultType] = {}

    def load_once(*args: object, **options: object) -> ResultType:
        key = identify(*args, **options)
        if key not in found:
            found[key] = load(*args, **options)
        return found[key]

    return load_once


def _identify_scope(scope: Event | Stage | Round) -> Hashable:
    return type(scope), scope.pk


def _identify_rounds(event: Event, rounds: list[Round], **options: bool) -> Hashable:
    return event.pk, tuple(played.pk for played in rounds), frozenset(options.items())


def _identify_tables(
    tables: list[Table],
    scope: Scope,
    _people: object,
    viewpoint: queries.Viewpoint,
    **options: bool,
) -> Hashable:
    keys = tuple(table.pk for table in tables)
    viewed_as = viewpoint.match.__qualname__, str(viewpoint.freeze.to_json())
    return keys, tuple(scope), viewed_as, frozenset(options.items())
