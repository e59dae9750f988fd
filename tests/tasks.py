"""A task backend for tests that runs a task when it is enqueued, but no deferred tasks."""

from typing import Any

from games.process.next_django import ImmediateBackend


class ImmediateTaskBackend(ImmediateBackend):
    supports_defer = True

    def _execute_task(self, task_result: Any) -> None:
        if task_result.task.run_after is None:
            super()._execute_task(task_result)  # type: ignore[misc]  # the stubs leave it out
