"""Second site, into which an event is imported."""

import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

from django.conf import settings
from playwright.sync_api import Page

from tests.live import SiteProcess
from tests.migrated import get_sqlite_file

ROOT, PASSWORD = "root@there.example", "Trombone-hall-22"

# Confirms the superuser's address without the emailed code.
CONFIRM_ADDRESS_SCRIPT = (
    "from allauth.account.models import EmailAddress; from tournament.models import User; "
    "EmailAddress.objects.create(user=User.objects.get(), email=User.objects.get().email, "
    "verified=True, primary=True)"
)


class OtherMachine(SiteProcess):
    """Second site with a new SQLite database that contains only a superuser."""

    def popen_options(self) -> dict[str, Any]:
        ours = {key: value for key, value in os.environ.items() if key != "REDIS_URL"}
        environment = {
            **ours,
            "DJANGO_SETTINGS_MODULE": "tournament.settings",
            "DATABASE_URL": f"sqlite:///{self.folder}/there.sqlite3",
            "SECRET_KEY": "of the other machine " * 3,
            "LASTCARD_VAR": str(self.var),
            "DJANGO_SUPERUSER_PASSWORD": PASSWORD,
            "DJANGO_SUPERUSER_USERNAME": "root",
        }
        return {"env": environment}

    def start(self) -> "OtherMachine":
        shutil.copyfile(get_sqlite_file(), self.folder / "there.sqlite3")
        self._manage("createsuperuser", "--noinput", "--email", ROOT)
        self._manage("shell", "-c", CONFIRM_ADDRESS_SCRIPT)
        return super().start()

    def _manage(self, *arguments: str) -> None:
        manage = [sys.executable, str(Path(settings.BASE_DIR) / "manage.py")]
        subprocess.run(
            [*manage, *arguments], check=True, capture_output=True, **self.popen_options()
        )


def sign_in(page: Page, site: SiteProcess) -> None:
    page.goto(f"{site.url}/accounts/login/")
    page.locator("[name=login]").fill(ROOT)
    page.locator("[name=password]").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.wait_for_url(lambda url: "login" not in url)


def import_event_file(page: Page, site: SiteProcess, file: Path) -> None:
    """Import the event file on the site's import page."""
    page.goto(f"{site.url}/admin/tournament/event/")
    page.get_by_role("link", name="Import an event").click()
    page.get_by_label("File").set_input_files(file)
    page.get_by_role("button", name="Import event").click()
