"""Base class of sites that tests run in a separate process."""

import sys
from contextlib import ExitStack
from pathlib import Path
from typing import Self

from django.conf import settings

from tests.services import Service, accepts_connections, find_free_port
from tournament.serving import worker_process


class ServedSite(Service):
    """`manage.py serve` on a free port, with its files in `var`.

    By default, no worker is started, because that takes as long as starting the site. Subclasses
    set `worker` to change this.
    """

    worker = False

    def __init__(self, var: Path | None = None) -> None:
        super().__init__()
        self.var = var or self.folder
        self.port = find_free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self._held = ExitStack()

    def command(self) -> list[str]:
        manage = str(settings.BASE_DIR / "manage.py")
        return [sys.executable, manage, "serve", "--port", str(self.port)]

    def ready(self) -> bool:
        return accepts_connections(("127.0.0.1", self.port))

    def start(self) -> Self:
        if not self.worker:
            self._held.enter_context(worker_process.try_lock(self.var / "worker.lock"))
        return super().start()

    def remove(self) -> None:
        super().remove()
        self._held.close()
