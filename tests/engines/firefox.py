"""Headless Firefox in a temporary profile."""

import json

from selenium.webdriver import Remote
from selenium.webdriver.firefox.options import Options

from tests import services
from tests.engines.marionette import Marionette

# Profile settings: any free port, and network requests only to the site.
PREFERENCES = {
    "marionette.port": 0,
    "app.normandy.enabled": False,
    "app.update.disabledForTesting": True,
    "datareporting.policy.dataSubmissionEnabled": False,
    "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False,
    "services.settings.server": "data:,",
    "ui.useOverlayScrollbars": 1,
}
# Firefox has a minimum window width, which must be overridden. Its toolbars add to the height.
RESIZE_SCRIPT = """
const [width, height] = arguments;
const own = Services.wm.getMostRecentWindow("navigator:browser");
own.document.documentElement.style.setProperty("min-width", "0", "important");
const page = own.gBrowser.selectedBrowser.getBoundingClientRect();
return [width, height + own.innerHeight - page.height];
"""


class Firefox(services.Service):
    """Firefox process that accepts commands."""

    def __init__(self) -> None:
        self.program = services.find_firefox()
        super().__init__()
        lines = [f"user_pref({json.dumps(k)}, {json.dumps(v)});\n" for k, v in PREFERENCES.items()]
        (self.folder / "user.js").write_text("".join(lines))
        self.port_file = self.folder / "MarionetteActivePort"

    def command(self) -> list[str]:
        how = ["-headless", "-marionette", "-remote-allow-system-access", "-no-remote"]
        return [self.program, *how, "-profile", str(self.folder)]

    def ready(self) -> bool:
        return self.port_file.exists() and bool(self.port_file.read_text())

    def window(self, width: int, height: int) -> Remote:
        """Return the browser's window, resized so that pages have this size in pixels."""
        line = Marionette(int(self.port_file.read_text()))
        driver = Remote(line, options=Options())
        wide, high = line.run_in_chrome(RESIZE_SCRIPT, width, height)
        driver.set_window_rect(width=wide, height=high)
        return driver
