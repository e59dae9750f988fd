"""Trials of mutants, each in its own child process with the tests selected for it.

Most children are forked after the tests have been collected, and replace the code of existing
functions. A mutant in lines that run on import gets a child that has not imported the project yet.
"""

import gc
import importlib.abc
import importlib.machinery
import importlib.util
import os
import resource
import shutil
import signal
import sys
import traceback
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from importlib.machinery import ModuleSpec
from itertools import zip_longest
from pathlib import Path
from types import CodeType, FunctionType

import hypothesis
import pytest

from tests.mutants import changes
from tests.mutants.changes import Mutant
from tests.mutants.measuring import ARGUMENTS, FEW_EXAMPLES

SURVIVED, KILLED, BROKEN = 0, 1, 3
MAX_MEMORY = 4 << 30
# Extra CPU seconds for each child, and the factor from its CPU limit to its wall-clock limit.
EXTRA_SECONDS, WALL_CLOCK_FACTOR = 10, 12

Job = tuple[Mutant, list[str], float]  # the mutant, its tests, and their duration in seconds
TriedMutant = tuple[Mutant, bool]  # and whether it was killed


class FailureRecorder:
    """Pytest plugin that records whether a test has failed."""

    def __init__(self) -> None:
        self.failed = False

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.failed |= report.failed


class MutantRunner:
    """Pytest plugin that tries mutants instead of running the collected tests."""

    def __init__(self, jobs: list[Job], max_workers: int) -> None:
        self.jobs, self.max_workers = jobs, max_workers
        self.tried: list[TriedMutant] = []

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        _prepare_shared_fixtures(session.items)
        # The progress dots would mean nothing.
        session.config.pluginmanager.unregister(name="terminalreporter")
        self.tried = list(
            run_in_children(
                self.jobs, partial(_try_with_replaced_functions, items), self.max_workers
            )
        )
        return True


def _prepare_shared_fixtures(items: list[pytest.Item]) -> None:
    """Run one test that needs the database, so that all children share the session's fixtures."""
    first = next((item for item in items if item.get_closest_marker("database")), None)
    if first:
        other = next(item for item in items if item.path.parent != first.path.parent)
        first.ihook.pytest_runtest_protocol(item=first, nextitem=other)
        from django.db import connections

        connections.close_all()


def _try_with_replaced_functions(items: dict[str, pytest.Item], job: Job) -> int:
    mutant, tests, _ = job
    _use_own_database()
    replace_functions(mutant)
    recorder = FailureRecorder()
    chosen = [items[test] for test in tests]
    chosen[0].config.pluginmanager.register(recorder)
    for item, following in zip_longest(chosen, chosen[1:]):
        item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
        if recorder.failed:
            return KILLED
    return SURVIVED


def _use_own_database() -> None:
    """Use a copy of the database file, because a killed child leaves data behind."""
    from django.db import connection

    if (name := Path(str(connection.settings_dict["NAME"]))).exists():
        copy = name.with_name(f"{os.getpid()}.sqlite3")
        connection.settings_dict["NAME"] = str(shutil.copyfile(name, copy))


def replace_functions(mutant: Mutant) -> None:
    """Replace the code of every function in the file, and clear all caches."""
    path = str(Path(mutant.path).resolve())
    old = changes.map_functions(Path(path).read_text(), path) or {}
    new = changes.map_functions(mutant.source, path) or {}
    keys = {(code.co_qualname, code.co_firstlineno): key for key, code in old.items()}
    gc.unfreeze()  # objects frozen by tests/conftest.py are not listed
    for each in gc.get_objects():
        if type(each) is FunctionType and each.__code__.co_filename == path:
            code = new.get(keys[each.__code__.co_qualname, each.__code__.co_firstlineno])
            if code and len(code.co_freevars) == len(each.__code__.co_freevars):
                each.__code__ = code
        elif hasattr(type(each), "cache_clear") and hasattr(type(each), "cache_info"):
            each.cache_clear()


class _Source(importlib.machinery.SourceFileLoader):
    """Loader that compiles the changed source instead of the file."""

    def __init__(self, name: str, mutant: Mutant) -> None:
        super().__init__(name, str(Path(mutant.path).resolve()))
        self.mutant = mutant

    def get_code(self, _name: str) -> CodeType:
        return compile(self.mutant.source, self.path, "exec")


class _Finder(importlib.abc.MetaPathFinder):
    """Import finder that finds only the changed module."""

    def __init__(self, mutant: Mutant) -> None:
        parts = Path(mutant.path).with_suffix("").parts
        name = ".".join(part for part in parts if part != "__init__")
        self.loader = _Source(name, mutant)

    def find_spec(self, name: str, *_: object) -> ModuleSpec | None:
        if name != self.loader.name:
            return None
        return importlib.util.spec_from_file_location(name, self.loader.path, loader=self.loader)


def _try_in_new_import(job: Job) -> int:
    mutant, tests, _ = job
    sys.meta_path.insert(0, _Finder(mutant))
    hypothesis.settings.register_profile("mutants", FEW_EXAMPLES)
    try:
        return KILLED if pytest.main([*ARGUMENTS, "-x", *tests]) else SURVIVED
    except Exception:  # the changed project cannot be imported, so no test would pass
        return KILLED


def try_import_time_mutants(jobs: list[Job], max_workers: int) -> list[TriedMutant]:
    """Try each mutant in a child that imports the project.

    This process must not have imported the project.
    """
    return list(run_in_children(jobs, _try_in_new_import, max_workers))


def try_run_time_mutants(jobs: list[Job], files: list[str], max_workers: int) -> list[TriedMutant]:
    """Collect the tests of these files, and try all mutants in children of this process."""
    hypothesis.settings.register_profile("mutants", FEW_EXAMPLES)
    plugin = MutantRunner(jobs, max_workers)
    pytest.main([*ARGUMENTS, *files], plugins=[plugin])
    return plugin.tried


def run_in_children(
    jobs: Iterable[Job], run: Callable[[Job], int], max_workers: int
) -> Iterator[TriedMutant]:
    """Yield the outcome of each mutant as soon as it is known."""
    running: dict[int, Mutant] = {}
    for job in jobs:
        if len(running) == max_workers:
            yield _wait_for_child(running)
        if not (child := os.fork()):
            _run_in_child(run, job)
        running[child] = job[0]
    while running:
        yield _wait_for_child(running)


def _wait_for_child(running: dict[int, Mutant]) -> TriedMutant:
    child, status = os.wait()
    broken = os.WIFEXITED(status) and os.WEXITSTATUS(status) == BROKEN
    killed, mutant = status != SURVIVED and not broken, running.pop(child)
    print("killed  " if killed else "survived", mutant, flush=True)
    return mutant, killed


def _run_in_child(run: Callable[[Job], int], job: Job) -> None:
    end = BROKEN
    try:
        _limit_child(job[2] + EXTRA_SECONDS)
        silence = os.open(os.devnull, os.O_WRONLY)
        os.dup2(silence, 1)
        end = run(job)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(end)


def _limit_child(seconds: float) -> None:
    """Limit the child's CPU time and memory, and its wall-clock time in case it never ends a wait.

    A signal kills a child that exceeds a time limit.
    """
    resource.setrlimit(resource.RLIMIT_CPU, (int(seconds) + 1, resource.RLIM_INFINITY))
    resource.setrlimit(resource.RLIMIT_AS, (MAX_MEMORY, resource.RLIM_INFINITY))
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    signal.alarm(int(WALL_CLOCK_FACTOR * seconds))
