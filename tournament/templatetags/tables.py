"""Seats of a table in templates, as list items: `{% seats table event mine %}`.

The HTML is built in Python, because the results page of a large event has ten thousand seats.
"""

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.process import process_cache
from tournament.hall.table_views import PublicTable, SeatView
from tournament.models import Event, Registration
from tournament.pure.words import ordinal
from tournament.templatetags.people import person

register = template.Library()

# Enough for all seat numbers and marks in all languages.
CACHE_SIZE = 200
SEAT = '<li class="{kind}">{chair} <span class="who">{person}{notes}</span> {mark} {points}</li>\n'
CHAIR = (
    '<span class="chair{kind}" title="{title}">'
    '<span class="visually-hidden">{word} </span>{number}</span>'
)
THROUGH = (
    '<span class="through-mark" title="{0}"><span aria-hidden="true">✓</span>'
    '<span class="visually-hidden">{0}</span></span>'
)
WON = '<span class="badge">{}</span>'
YOU = " <small>{}</small>"


@register.simple_tag
def seats(table: PublicTable, event: Event, own_registration: Registration | None) -> str:
    """Render the table's seats by place, or by seat number if there are no places yet."""
    language = get_language()
    own_id = own_registration.pk if own_registration else None
    return SafeString(
        "".join(_render_seat(seat, event, own_id, language) for seat in table.standing)
    )


def _render_seat(seat: SeatView, event: Event, own_player: int | None, language: str | None) -> str:
    first = seat.place == 1
    you = (
        own_player is not None
        and seat.registration is not None
        and seat.registration.pk == own_player
    )
    points = "" if seat.points is None else f'<span class="figures points">{seat.points}</span>'
    return SEAT.format(
        kind=("through" if seat.through or first else "") + (" you" if you else ""),
        chair=_render_place_or_seat(language, seat.place, seat.number),
        person=person(event, seat.registration, seat.name),
        notes=_render_notes(seat, you=you),
        mark=_render_mark(language, seat.through, first),
        points=points,
    )


@process_cache(CACHE_SIZE)
def _render_place_or_seat(language: str | None, place: int | None, seat: int) -> str:
    if place:
        title = _("{place} place").format(place=ordinal(place))
        return CHAIR.format(kind=" place", title=title, word=_("Place"), number=place)
    title = _("Seat %(number)s") % {"number": seat + 1}
    return CHAIR.format(kind="", title=title, word=_("Seat"), number=seat + 1)


def _render_notes(seat: SeatView, *, you: bool) -> str:
    """Render the notes after a player's name."""
    text = ""
    if seat.partner:
        partner = _("with <bdi>%(name)s</bdi>") % {"name": escape(seat.partner)}
        text += f' <small class="muted">{partner}</small>'
    if you:
        text += YOU.format(_("(you)"))
    if reason := seat.why or seat.separated:
        text += f'<small class="muted why-on">{escape(reason)}</small>'
    return text


@process_cache(CACHE_SIZE)
def _render_mark(language: str | None, through: bool, first: bool) -> str:
    if through:
        return THROUGH.format(_("advances"))
    return WON.format(_("won")) if first else ""
