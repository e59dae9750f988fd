"""Results that are loaded once for all doors, while nothing that counts is written."""

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from typing import TypeVar

import pytest

from tournament.models import Event, Round, Stage, Table
from tournament.results import queries, stages
from tournament.results.rows import Scope

T = TypeVar("T")


@contextmanager
def load_results_once() -> Iterator[None]:
    """Load the results of the same tables once in this block.

    All doors read them with the same functions, whose queries take most of a door's time. What
    the doors make of the results is not shared.
    """
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stages, "rounds_of", _remember(queries.rounds_of, _identify_place))
        patch.setattr(
            stages, "results_of_rounds", _remember(stages.results_of_rounds, _identify_rounds)
        )
        patch.setattr(queries, "_load_results", _remember(queries._load_results, _identify_tables))
        yield


def _remember(load: Callable[..., T], identify: Callable[..., Hashable]) -> Callable[..., T]:
    found: dict[Hashable, T] = {}

    def load_once(*args: object, **how: object) -> T:
        key = identify(*args, **how)
        if key not in found:
            found[key] = load(*args, **how)
        return found[key]

    return load_once


def _identify_place(where: Event | Stage | Round) -> Hashable:
    return type(where), where.pk


def _identify_rounds(event: Event, rounds: list[Round], **how: bool) -> Hashable:
    return event.pk, tuple(played.pk for played in rounds), frozenset(how.items())


def _identify_tables(
    tables: list[Table],
    scope: Scope,
    _people: object,
    viewpoint: queries.Viewpoint,
    **how: bool,
) -> Hashable:
    known = tuple(table.pk for table in tables)
    seen_by = viewpoint.match.__qualname__, str(viewpoint.freeze.to_json())
    return known, tuple(scope), seen_by, frozenset(how.items())
