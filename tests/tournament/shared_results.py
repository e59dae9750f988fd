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
    """Within this block, load the results of each set of tables only once.

    All views call the same functions to load results, and the queries of these functions take
    most of the time. Each view still computes everything else separately.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stages, "rounds_of", _cache_results(queries.rounds_of, _make_scope_cache_key))
        patch.setattr(
            stages,
            "results_of_rounds",
            _cache_results(stages.results_of_rounds, _make_rounds_cache_key),
        )
        patch.setattr(
            queries, "_load_results", _cache_results(queries._load_results, _make_tables_cache_key)
        )
        yield


def _cache_results(
    load: Callable[..., ResultType], make_key: Callable[..., Hashable]
) -> Callable[..., ResultType]:
    found: dict[Hashable, ResultType] = {}

    def load_once(*args: object, **options: object) -> ResultType:
        key = make_key(*args, **options)
        if key not in found:
            found[key] = load(*args, **options)
        return found[key]

    return load_once


def _make_scope_cache_key(scope: Event | Stage | Round) -> Hashable:
    return type(scope), scope.pk


def _make_rounds_cache_key(event: Event, rounds: list[Round], **options: bool) -> Hashable:
    return event.pk, tuple(played.pk for played in rounds), frozenset(options.items())


def _make_tables_cache_key(
    tables: list[Table],
    scope: Scope,
    _people: object,
    viewpoint: queries.Viewpoint,
    **options: bool,
) -> Hashable:
    keys = tuple(table.pk for table in tables)
    viewed_as = viewpoint.match.__qualname__, str(viewpoint.freeze.to_json())
    return keys, tuple(scope), viewed_as, frozenset(options.items())
