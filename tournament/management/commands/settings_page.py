"""`manage.py settings_page`: write docs/settings.md from the declarations of the settings."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from tournament.serving.environment.page import render_page


class Command(BaseCommand):
    help = "Write docs/settings.md from the declaration of the settings."

    def handle(self, *args: Any, **options: Any) -> None:
        (settings.BASE_DIR / "docs" / "settings.md").write_text(render_page())
        self.stdout.write("docs/settings.md")
