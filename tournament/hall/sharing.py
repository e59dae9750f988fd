"""Previews of shared links. They contain only public information."""

from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Match
from games.protocol.faces import face_of
from tournament.common.moments import moment_text
from tournament.hall.directory import PersonView
from tournament.hall.queries import table_view
from tournament.hall.table_views import PublicTable, SeatView
from tournament.models import Event, Table
from tournament.pure.files.picture import Picture
from tournament.pure.ranking import METRICS
from tournament.pure.words import join_words, ordinal
from tournament.registration.services import count_free_spots
from tournament.results.queries import result_of
from tournament.stages.winners import Winner
from tournament.standings.rows import Leaderboard, LeaderRow


@dataclass(frozen=True)
class SharePreview:
    """The preview of a shared link: a title, a sentence and a picture."""

    title: str
    text: str
    picture: Picture


def make_event_preview(event: Event, winner: Winner | None) -> SharePreview:
    """Return the preview of an event, with its time and place or, at the end, its winner."""
    lines = (winner.sentence, winner.score) if winner else _list_time_and_place(event)
    picture = Picture(_describe_state(event), event.title, lines)
    return SharePreview(event.title, ". ".join((_describe_state(event), *lines)) + ".", picture)


def _list_time_and_place(event: Event) -> tuple[str, ...]:
    with timezone.override(event.zone):
        when = (moment_text(event.starts_at),) if event.starts_at else ()
    return (*when, event.place) if event.place else when


def _describe_state(event: Event) -> str:
    if event.state == Event.State.FINISHED:
        return _("Finished")
    if event.state == Event.State.RUNNING:
        return _("Under way")
    is_replay_open = event.registration_state == "open"
    if is_replay_open and count_free_spots(event) == 0:
        return _("Waitlist")
    return _("Registration open") if is_replay_open else _("Card tournament")


def _format_points(points: int) -> str:
    return ngettext("{n} point", "{n} points", points).format(n=points)


def make_player_preview(event: Event, player: PersonView) -> SharePreview:
    name, row = player.registration.name, player.row
    lines: list[str] = []
    if row and row.shown_rank:
        place = _("{place} place").format(place=ordinal(row.shown_rank))
        lines.append(f"{place} · {_describe_figure(row)}")
    if player.hands:
        text = ngettext("{won} of {hands} hand won", "{won} of {hands} hands won", player.hands)
        lines.append(text.format(won=player.hands_won, hands=player.hands))
    face = face_of(name, player.registration.user_id, player.registration.look)
    picture = Picture(event.title, name, tuple(lines), **face)
    return SharePreview(f"{name} · {event.title}", ". ".join((event.title, *lines)) + ".", picture)


def make_leaderboard_preview(board: Leaderboard) -> SharePreview:
    """Return the preview of the leaderboard, with its first three players.

    Names are left out until the places have been revealed.
    """
    event = board.event
    heading = f"{event.title} · {board.stage.label}" if board.stage else event.title
    title = _("Leaderboard")
    lines = (
        (_("Places have not been revealed yet"),) if event.freeze else _describe_top_three(board)
    )
    picture = Picture(heading, title, lines)
    text = ". ".join((_describe_state(event), *(lines or _list_time_and_place(event)))) + "."
    return SharePreview(f"{title} · {heading}", text, picture)


def _describe_top_three(board: Leaderboard) -> tuple[str, ...]:
    placed = [row for row in board.rows if row.counts and not row.out]
    return tuple(_describe_place(row) for row in placed[:3])


def _describe_place(row: LeaderRow) -> str:
    """Describe a place with the player's name, and with points if they decide the ranking."""
    place = f"{row.rank}. {row.name}"
    return f"{place} · {_format_points(row.points)}" if _is_ranked_by_points(row) else place


def _is_ranked_by_points(row: LeaderRow) -> bool:
    return row.heading == _(METRICS["points"].title)


def _describe_figure(row: LeaderRow) -> str:
    """Describe the row's main figure, such as "320 points" or "Points a match: 12.50"."""
    return (
        _format_points(row.points) if _is_ranked_by_points(row) else f"{row.heading}: {row.figure}"
    )


def find_public_table(match: Match) -> Table | None:
    """Return the table of the match if its event is public, or None."""
    table = Table.objects.filter(match=match).select_related("round__stage__event").first()
    return table if table and table.round.stage.event.public else None


def make_table_preview(table: Table) -> SharePreview:
    """Return the preview of a table, with its players or, at the end, its winner."""
    event = table.round.stage.event
    view = table_view(result_of(table, public=True))
    lines = _list_outcome(view)
    title = str(table)
    picture = Picture(event.title, title, lines)
    return SharePreview(f"{event.title} · {title}", ". ".join((title, *lines)) + ".", picture)


def _list_outcome(view: PublicTable) -> tuple[str, ...]:
    winners = [seat for seat in view.seats if seat.place == 1]
    if not winners:
        return (join_words([seat.name for seat in view.seats]),)
    return (_describe_win(winners), _format_points(max(seat.points or 0 for seat in winners)))


def _describe_win(winners: list[SeatView]) -> str:
    text = ngettext("{names} won", "{names} share the win", len(winners))
    return text.format(names=join_words([seat.name for seat in winners]))
