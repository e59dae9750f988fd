"""The archive of an event's hand records."""

import zipfile
from collections.abc import Iterator
from typing import IO

from games import queries as games
from games.models import Hand, Match
from tournament.models import Event, Table


def iterate_records(event: Event) -> Iterator[tuple[str, str]]:
    """Yield the path in the archive and the text for each public hand record of the event."""
    for table, hand in _iterate_dealt_hands(event):
        if games.is_replay_open(hand.match, hand) and games.shows_cards(hand.match):
            name, text = games.record_file(hand)
            yield f"{_make_folder_name(table, hand)}/{name}", text


def tables_by_match(event: Event) -> dict[int, Table]:
    """Return the event's tables by the ids of their matches.

    Matches that were continued in a later match are included.
    """
    tables = Table.objects.filter(round__stage__event=event, match__isnull=False)
    ordered = tables.order_by("round__stage__number", "round__number", "number")
    rows = ordered.select_related("round__stage")
    tables_by_id = newest = {table.match_id: table for table in rows if table.match_id}
    while newest:
        earlier = Match.objects.filter(continued__in=newest).values_list("pk", "continued")
        newest = {key: newest[later] for key, later in earlier if later is not None}
        tables_by_id = {**tables_by_id, **newest}
    return tables_by_id


def _iterate_dealt_hands(event: Event) -> Iterator[tuple[Table, Hand]]:
    """Yield the hands that were dealt, each with its table.

    Seats are loaded match by match, because those of a whole event would need too much memory.
    """
    for match, table in tables_by_match(event).items():
        hands = Hand.objects.filter(match=match, dealt_at__isnull=False).order_by("number")
        for hand in hands.select_related("match").prefetch_related("match__seats"):
            yield table, hand


def _make_folder_name(table: Table, hand: Hand) -> str:
    round_ = table.round
    folder = f"stage-{round_.stage.number}/round-{round_.number}/table-{table.number}"
    # Hands are numbered within a match, so a replaced match needs its own folder.
    if hand.match_id != table.match_id:
        folder = f"{folder}/{hand.match.public_id}"
    return folder


def write_records(event: Event, out: IO[bytes]) -> int:
    """Write the records to a zip archive, one at a time, and return their number."""
    count = 0
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        for path, text in iterate_records(event):
            archive.writestr(path, text)
            count += 1
    return count
