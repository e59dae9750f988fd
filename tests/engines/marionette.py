"""Firefox's Marionette protocol: WebDriver commands as JSON over a separate socket.

Selenium uses the socket directly, because Debian 12 has no package of geckodriver.
"""

import json
import socket
from typing import Any

from selenium.webdriver.remote.client_config import ClientConfig
from selenium.webdriver.remote.command import Command
from selenium.webdriver.remote.remote_connection import RemoteConnection

# Selenium's name for each command that tests use, mapped to Firefox's.
COMMAND_NAMES = {
    Command.NEW_SESSION: "NewSession",
    Command.QUIT: "DeleteSession",
    Command.GET: "Navigate",
    Command.GET_CURRENT_URL: "GetCurrentURL",
    Command.GET_TITLE: "GetTitle",
    Command.ADD_COOKIE: "AddCookie",
    Command.DELETE_ALL_COOKIES: "DeleteAllCookies",
    Command.SET_WINDOW_RECT: "SetWindowRect",
    Command.FIND_ELEMENT: "FindElement",
    Command.FIND_ELEMENTS: "FindElements",
    Command.GET_ELEMENT_TEXT: "GetElementText",
    Command.CLICK_ELEMENT: "ElementClick",
    Command.CLEAR_ELEMENT: "ElementClear",
    Command.SEND_KEYS_TO_ELEMENT: "ElementSendKeys",
    Command.W3C_EXECUTE_SCRIPT: "ExecuteScript",
    Command.SCREENSHOT: "TakeScreenshot",
}
CHANGED_PARAMETERS = {"TakeScreenshot": {"full": False}}  # captures the window, as WebDriver does
UNWRAPPED_COMMANDS = {"NewSession", "FindElements"}  # their answers are not wrapped in "value"


class Marionette(RemoteConnection):
    """Connection to the Firefox that listens on this port of the local machine."""

    def __init__(self, port: int) -> None:
        super().__init__(client_config=ClientConfig(f"http://127.0.0.1:{port}"))
        self._socket = socket.create_connection(("127.0.0.1", port))
        self._answers = self._socket.makefile("rb")
        self._asked = 0
        self._read()  # Firefox first sends its name and version

    def execute(self, command: str, params: dict[str, Any]) -> dict[str, Any]:
        """Send a command to Firefox, and return its reply in the form of WebDriver.

        If the reply is an error, Selenium raises an exception.
        """
        name = COMMAND_NAMES[command]
        answer = self._send_command(f"WebDriver:{name}", params | CHANGED_PARAMETERS.get(name, {}))
        return _make_response(*answer, unwrapped=name in UNWRAPPED_COMMANDS)

    def run_in_chrome(self, script: str, *arguments: Any) -> Any:
        """Run a script in the browser's own window instead of the page."""
        self._send_command("Marionette:SetContext", {"value": "chrome"})
        error, result = self._send_command(
            "WebDriver:ExecuteScript", {"script": script, "args": arguments}
        )
        self._send_command("Marionette:SetContext", {"value": "content"})
        assert error is None, error
        return result["value"]

    def close(self) -> None:
        self._answers.close()
        self._socket.close()

    def _send_command(self, name: str, params: Any) -> tuple[Any, Any]:
        self._asked += 1
        message = json.dumps([0, self._asked, name, params]).encode()
        self._socket.sendall(b"%d:%s" % (len(message), message))
        _kind, number, error, result = self._read()
        assert number == self._asked
        return error, result

    def _read(self) -> Any:
        """Read a message: its length in bytes, a colon and JSON."""
        length = b""
        while (byte := self._answers.read(1)) != b":":
            length += byte
        return json.loads(self._answers.read(int(length)))


def _make_response(error: Any, result: Any, *, unwrapped: bool) -> dict[str, Any]:
    if error is not None:
        return {"status": error["error"], "value": error}
    return {"value": result if unwrapped else result.get("value")}
