"""WebKit, the engine of every iPhone browser, in GTK's MiniBrowser."""

import os
import re
from typing import Any

from selenium.webdriver import Remote
from selenium.webdriver.remote.client_config import ClientConfig
from selenium.webdriver.remote.remote_connection import RemoteConnection
from selenium.webdriver.webkitgtk.options import Options

from tests import services


class Display(services.Service):
    """Virtual phone-sized screen, filled by a single window."""

    def __init__(self, width: int, height: int) -> None:
        _driver, self.program = services.find_webkit()
        super().__init__()
        self.width, self.height = width, height

    def command(self) -> list[str]:
        """Return the command of a display that picks a free number and prints it."""
        size = f"{self.width}x{self.height}x24"
        return [self.program, "-displayfd", "1", "-screen", "0", size, "-nolisten", "tcp"]

    @property
    def number(self) -> str:
        found = re.search(r"^\d+$", self.log.read_text(), re.MULTILINE)
        return found[0] if found else ""

    def ready(self) -> bool:
        return bool(self.number)


class WebKit(services.Service):
    """Driver of WebKit. It opens a new browser for each session."""

    def __init__(self, display: Display) -> None:
        self.program, _screen = services.find_webkit()
        super().__init__()
        self.display = display
        self.port = services.find_free_port()

    def command(self) -> list[str]:
        return [self.program, f"--port={self.port}"]

    def ready(self) -> bool:
        return services.accepts_connections(("127.0.0.1", self.port))

    def popen_options(self) -> dict[str, Any]:
        """Return options that stop the browser from using the tester's home folder and desktop."""
        homes = dict.fromkeys(("HOME", "XDG_CACHE_HOME", "XDG_CONFIG_HOME"), str(self.folder))
        return {"env": {**os.environ, **homes, "DISPLAY": f":{self.display.number}"}}

    def window(self) -> Remote:
        """Open a window that fills the screen."""
        options = Options()
        options.add_argument("--automation")
        options.add_argument("--full-screen")
        config = ClientConfig(f"http://127.0.0.1:{self.port}")
        driver = Remote(RemoteConnection(client_config=config), options=options)
        driver.set_window_rect(width=self.display.width, height=self.display.height)
        return driver
