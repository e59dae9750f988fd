"""Chromium controlled through its DevTools protocol, with tabs that hide each other.

Playwright's pages never become hidden.
"""

import itertools
import json
import shutil
from contextlib import ExitStack
from typing import Any

from websockets.sync.client import ClientConnection, connect

from tests.browser.conftest import BROWSER_ARGUMENTS
from tests.live import make_session_cookie
from tests.services import MissingServiceError, Service, wait_for
from tournament.models import User

# Slows the timers of hidden tabs after two seconds instead of five minutes.
WORKER_CHANGED = "ServiceWorker.workerVersionUpdated"
THROTTLING_OPTION = "--enable-features=IntensiveWakeUpThrottling:grace_period_seconds/2"


class RealChromium(Service):
    """Chromium with tabs that can be hidden, unlike those of the headless shell."""

    def __init__(self, *arguments: str) -> None:
        super().__init__()
        self._arguments = arguments
        self._numbers = itertools.count(1)
        self._stack = ExitStack()
        self._events: list[dict[str, Any]] = []
        self._socket: ClientConnection | None = None

    def command(self) -> list[str]:
        program = shutil.which("chromium") or shutil.which("google-chrome")
        if program is None:
            raise MissingServiceError("the whole Chromium (apt install chromium)")
        how = ["--headless=new", "--remote-debugging-port=0", f"--user-data-dir={self.folder}/user"]
        return [program, *BROWSER_ARGUMENTS, *how, *self._arguments, "about:blank"]

    def ready(self) -> bool:
        # The file may exist before both lines are complete.
        file = self.folder / "user" / "DevToolsActivePort"
        return file.exists() and file.read_text().count("\n") == 1 and "/" in file.read_text()

    def start(self) -> "RealChromium":
        super().start()
        port, path = (self.folder / "user" / "DevToolsActivePort").read_text().split()
        address = f"ws://127.0.0.1:{port}{path}"
        connecting = connect(address, max_size=None, compression=None)
        self._socket = self._stack.enter_context(connecting)
        return self

    def stop(self, signal_number: int = 15) -> None:
        self._stack.close()
        super().stop(signal_number)

    def call(self, method: str, session: str | None = None, **given: Any) -> dict[str, Any]:
        """Send a DevTools protocol command and return its result."""
        assert self._socket is not None
        message = {"id": next(self._numbers), "method": method, "params": given}
        self._socket.send(json.dumps(message | ({"sessionId": session} if session else {})))
        while True:
            answer: dict[str, Any] = json.loads(self._socket.recv(timeout=60))
            if answer.get("id") == message["id"]:
                assert "error" not in answer, answer
                return dict(answer["result"])
            self._events.append(answer)

    def find_worker(self) -> str:
        """Return the id of the active service worker's registration, or "" if there is none."""
        changes = [each for each in self._events if each["method"] == WORKER_CHANGED]
        versions = [version for each in changes for version in each["params"]["versions"]]
        running = [each for each in versions if each["status"] == "activated"]
        return str(running[-1]["registrationId"]) if running else ""

    def sign_in(self, user: User, address: str) -> None:
        cookie = make_session_cookie(user) | {"url": address}
        kept = {name: cookie[name] for name in ("name", "value", "url")}
        self.call("Storage.setCookies", cookies=[kept])

    def open_tab(self, address: str, *, before: str = "") -> "RealTab":
        """Open a tab in front of the others. Its page first runs the script `before`."""
        target = self.call("Target.createTarget", url="about:blank")["targetId"]
        attached = self.call("Target.attachToTarget", targetId=target, flatten=True)
        tab = RealTab(self, target, attached["sessionId"])
        tab.call("Page.enable")
        tab.call("Page.addScriptToEvaluateOnNewDocument", source=before)
        tab.call("Page.navigate", url=address)
        return tab


class RealTab:
    """Tab of a RealChromium."""

    def __init__(self, browser: RealChromium, target: str, session: str) -> None:
        self._browser, self._target, self._session = browser, target, session

    def call(self, method: str, **given: Any) -> dict[str, Any]:
        return self._browser.call(method, self._session, **given)

    def evaluate(self, script: str) -> Any:
        """Return the value of an expression. A promise is awaited."""
        how = {"awaitPromise": True, "returnByValue": True, "userGesture": True}
        answer = self.call("Runtime.evaluate", expression=script, **how)
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def wait_for(self, script: str) -> None:
        wait_for(lambda: bool(self.evaluate(script)), script)

    def close(self) -> None:
        self._browser.call("Target.closeTarget", targetId=self._target)

    def show(self) -> None:
        """Bring the tab to the front."""
        self._browser.call("Target.activateTarget", targetId=self._target)
