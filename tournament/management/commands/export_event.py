"""`manage.py export_event SLUG FILE`: export an event as a file (docs/moving-an-event.md)."""

from argparse import ArgumentParser
from pathlib import Path

from django.core.management.base import BaseCommand, CommandError

from tournament.common.refusals import RefusedError
from tournament.exports.transfer.contents import write_event
from tournament.exports.transfer.exporting import check_no_match_in_progress, move_event_away
from tournament.models import Event, User
from tournament.oversight.export_requests import request_export


class Command(BaseCommand):
    help = "Export a whole event to a file, including its personal data."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("slug", help="the event's slug")
        parser.add_argument("file", type=Path)
        parser.add_argument("--move", action="store_true", help="make the event read-only here")
        parser.add_argument("--by", help="with --move: your email address")
        parser.add_argument("--reason", default="", help="with --move: a public reason")

    def handle(
        self, *, slug: str, file: Path, move: bool, by: str | None, reason: str, **options: object
    ) -> None:
        event = Event.objects.filter(slug=slug).first()
        if event is None:
            raise CommandError(f"There is no event {slug}.")
        try:
            event = _move_event(event, by, reason) if move else event
            check_no_match_in_progress(event)
        except RefusedError as refused:
            raise CommandError(refused.sentence) from None
        with file.open("wb") as out:
            write_event(event, out, moved=bool(event.away_since))
        self.stdout.write(f"{file}: journey {event.journey}.")


def _move_event(event: Event, by: str | None, reason: str) -> Event:
    """Make the event read-only, so that it can be run on another machine.

    If this has already been done, return the event unchanged, so that it can be exported again.
    """
    if event.away_since:
        return event
    actor = User.objects.filter(email=User.objects.normalize_email(by)).first()
    if actor is None:
        raise CommandError("No account has this address: --by names who takes the event along.")
    request_export(event, actor, "event", reason)
    return move_event_away(event, actor)
