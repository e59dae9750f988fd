"""`manage.py protocol_schema`: write the JSON schema and the JavaScript types of games/protocol."""

import json
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from games import protocol
from games.protocol.declarations import build_declarations
from games.protocol.schema import build_schema
from tournament.web.live import messages


class Command(BaseCommand):
    help = "Write docs/protocol.schema.json and docs/protocol.d.ts from the types of the protocol."

    def handle(self, *args: Any, **options: Any) -> None:
        for name, text in generate_files().items():
            (settings.BASE_DIR / "docs" / name).write_text(text)
            self.stdout.write(f"docs/{name}")


def generate_files() -> dict[str, str]:
    """Return the contents of both files, by name."""
    schema = build_schema({**protocol.NAMED, **messages.NAMED}, protocol.VERSION)
    return {
        "protocol.schema.json": f"{json.dumps(schema, indent=1)}\n",
        "protocol.d.ts": build_declarations(schema),
    }
