"""A player's place in an event, as one sentence for all pages."""

from django.utils.html import format_html
from django.utils.translation import gettext as _

from tournament.hall.table_views import PlayerPage
from tournament.models import Event
from tournament.pure.words import ordinal
from tournament.standings.rows import LeaderRow


def describe_hidden_places() -> str:
    """Return the sentence that players see while places are hidden."""
    return _("The organizers will reveal the places soon.")


def is_place_hidden(event: Event, row: LeaderRow | None) -> bool:
    """Return whether the player's place has not been revealed yet.

    `row` is the player's row on the public leaderboard, which has only revealed places.
    """
    return bool(event.freeze) and not (event.freeze.revealing and row)


def describe_own_place(event: Event, row: LeaderRow | None, people: int, board: str = "") -> str:
    """Return the sentence about the player's place as HTML, or "" without a place.

    `row` is the player's row on the public leaderboard, which has `people` players. `board` is the
    URL of the row.
    """
    if is_place_hidden(event, row):
        return describe_hidden_places()
    if row is None or not row.counts or row.out:
        return ""
    if event.state == Event.State.FINISHED:
        return describe_finish(event, row.rank, people)
    if row.placed.still_in and row.tied:
        # Players who have advanced share first place until their tables have points.
        return _("You’re still in.")
    if board:
        text = _('You’re <a href="{board}"><strong>{rank}</strong> on the leaderboard</a>.')
        return format_html(text, board=board, rank=ordinal(row.rank))
    text = _("You’re currently <strong>{rank} of {people}</strong> in {event}.")
    return format_html(text, rank=ordinal(row.rank), people=people, event=event)


def describe_finish(event: Event, place: int, people: int) -> str:
    """Return the sentence about a final place as HTML."""
    text = _("You finished <strong>{rank} of {people}</strong> in {event}.")
    return format_html(text, rank=ordinal(place), people=people, event=event)


def describe_table_place(page: PlayerPage) -> str:
    """Return the player's place at the finished table, and the tie-break that decided it.

    Returns "" if points alone decided the place, or if it is hidden.
    """
    table = page.table
    if table is None:
        return ""
    seat = next(
        (table_seat for table_seat in table.seats if table_seat.number + 1 == page.seat_number),
        None,
    )
    if seat is None or seat.place is None or seat.partner or seat.paired:
        return ""
    if [table_seat.points for table_seat in table.seats].count(seat.points) < 2:
        return ""
    text = _("You finished {place} of {seats} at table {table}.")
    sentence = text.format(place=ordinal(seat.place), seats=len(table.seats), table=table.number)
    return f"{sentence} {seat.separated}".strip()
