"""``manage.py draw_cards``: write static/img/cards.svg after a change in games/art/."""

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from games.art import sprite


class Command(BaseCommand):
    requires_system_checks: list[str] = []
    help = "Draws every card face and colour shape into static/img/cards.svg."

    def handle(self, *args: Any, **options: Any) -> None:
        path = settings.BASE_DIR / "static" / "img" / "cards.svg"
        path.write_text(sprite())
        self.stdout.write(f"Wrote {path.name}.")
