"""All hand records of an event in one archive."""

import zipfile
from collections.abc import Iterator
from typing import IO

from django.db.models import QuerySet

from games import queries as games
from games.models import Hand
from tournament.models import Event


def records(event: Event) -> Iterator[tuple[str, str]]:
    """The open hands of the event: path in the archive, and the file that the replay offers."""
    for hand in _dealt(event).iterator(chunk_size=50):
        if games.is_open(hand.match, hand) and games.shows_cards(hand.match):
            name, text = games.record_file(hand)
            yield f"{_folder(hand)}/{name}", text


def _dealt(event: Event) -> QuerySet[Hand]:
    table = "match__event_table"
    hands = Hand.objects.filter(**{f"{table}__round__stage__event": event}, dealt_at__isnull=False)
    order = (f"{table}__round__stage__number", f"{table}__round__number", f"{table}__number")
    parts = hands.select_related(f"{table}__round__stage")
    # Seats and actions are fetched hand by hand: all of an event's would be too much at once.
    return parts.order_by(*order, "number").prefetch_related("match__seats")


def _folder(hand: Hand) -> str:
    table = hand.match.event_table
    played = table.round
    return f"stage-{played.stage.number}/round-{played.number}/table-{table.number}"


def write_records(event: Event, out: IO[bytes]) -> int:
    """Put them into a zip archive, file by file; how many there are."""
    count = 0
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in records(event):
            archive.writestr(path, text)
            count += 1
    return count
