"""The leaderboard as HTML, in parts: a page has all of it, a socket is told which parts are new.

A row's rank is no part of it: whoever rises pushes many down by one, and the ranks from top to
bottom stay what they were.
"""

import hashlib
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property
from html import escape

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.live.messages import RowNews, Standings
from tournament.queries.shapes import Chance, Leaderboard, LeaderRow
from tournament.templatetags.people import named

# In each element with `data-part` stands the part of its number.
ROW = (
    '<tr id="r%s" data-rank="%s" data-points="%s" class="%s">'
    '<td class="rank"><span class="rank-number">%s</span><span data-part>%s</span></td>'
    '<th scope="row"><span data-part>%s</span><span data-part>%s</span>'
    '<span data-part>%s</span><small class="narrow-only"><span data-part>%s</span>'
    '<span data-part>%s</span></small></th><td class="number points">%s</td>'
    '<td class="number wide" data-part>%s</td><td class="number wide" data-part>%s</td>'
    '<td class="wide muted note" data-part>%s</td></tr>\n'
)
# So many of the parts stand before the points.
POINTS = 6
# Where a template leaves room for the rows.
PLACE = b"<!--rows-->"
HIDDEN = '<span class="visually-hidden"> {}</span>'
UNRANKED = "–"


# Not frozen, as there are thousands: a frozen one takes five times as long to make.
@dataclass
class Row:
    """One line: `key` is the registration's, `kind` its classes, `parts` are HTML along ROW.

    `ranked`: the rank is shown; it stands beside the row, see above.
    """

    key: int
    points: int
    kind: str
    ranked: bool
    parts: tuple[str, ...]

    def html(self, rank: int) -> str:
        points, shown = self.points, rank if self.ranked else UNRANKED
        before, after = self.parts[:POINTS], self.parts[POINTS:]
        return ROW % (self.key, rank, points, self.kind, shown, *before, points, *after)

    def news(self, before: "Row") -> RowNews:
        """What of it was different before."""
        parts = enumerate(zip(self.parts, before.parts, strict=True))
        told: RowNews = {}
        if changed := {str(n): now for n, (now, then) in parts if now != then}:
            told["parts"] = changed
        if self.points != before.points:
            told["points"] = self.points
        if self.kind != before.kind:
            told["kind"] = self.kind
        if self.ranked != before.ranked:
            told["ranked"] = self.ranked
        return told


@dataclass(frozen=True)
class Shown:
    """All of a leaderboard as it is shown: `state` above and `foot` below are HTML, `ranks` run
    along the rows, `frame` is what stands around them."""

    state: str
    rows: tuple[Row, ...]
    ranks: tuple[int, ...]
    foot: str
    frame: str = ""

    @cached_property
    def body(self) -> bytes:
        """The rows alone, encoded."""
        pairs = zip(self.rows, self.ranks, strict=True)
        return "".join([row.html(rank) for row, rank in pairs]).encode()

    @cached_property
    def hash(self) -> str:
        """The same for what looks the same."""
        around = (self.frame.encode(), self.state.encode(), self.body, self.foot.encode())
        return hashlib.blake2b(b"\0".join(around), digest_size=6).hexdigest()

    def put_into(self, page: bytes) -> bytes:
        """A page that a template has made, with the rows where they belong. Templates would copy
        them ten times: a megabyte for some thousand players."""
        return page.replace(PLACE, self.body, 1)


def shown_rows(board: Leaderboard) -> tuple[Row, ...]:
    """The rows of the board, in its order."""
    above, rows = [None, *board.rows], _Rows(board.event.slug)
    return tuple(
        [
            rows.of(row, note(row, before), last=number == board.cut)
            for number, (row, before) in enumerate(zip(board.rows, above, strict=False), 1)
        ]
    )


def note(row: LeaderRow, above: LeaderRow | None) -> str:
    """The sentence about its rank, unless points or a shared rank already say it."""
    if not row.matches:
        return row.separated_by
    parted = above is not None and above.points == row.points and above.rank != row.rank
    return row.separated_by if parted else ""


class _Rows:
    """Makes the rows of a board: what many of them say alike is put into words once."""

    def __init__(self, slug: str) -> None:
        self._slug = slug
        self._shared = HIDDEN.format(_("shared"))
        self._signs, self._played = cache(_signs), cache(_played)

    def of(self, row: LeaderRow, note: str, *, last: bool) -> Row:
        person, said = row.registration, escape(note) if note else ""
        linked = "" if person.anonymous else self._slug
        kind = " ".join(["through"] * row.through + ["last-place"] * last)
        parts = (
            self._shared if row.tied else "",
            named(linked, person.queue_number, row.name, person.user_id),
            self._signs(row.provisional, row.through),
            _chance(row.chance),
            self._played(row.matches, row.wins),
            f". {said}" if note else "",
            str(row.matches),
            str(row.wins),
            said,
        )
        return Row(person.pk, row.points, kind, bool(row.matches and not row.out), parts)


def _signs(provisional: bool, through: bool) -> str:
    playing = badge = ""
    if provisional:
        hidden = HIDDEN.format(_("(still playing)"))
        title = _("a match is still being played")
        playing = f'<span class="playing-dot" title="{title}">{hidden}</span>'
    if through:
        badge = f' <span class="badge good">{_("through")}</span>'
    return playing + badge


def _chance(chance: Chance | None) -> str:
    if chance is None:
        return ""
    return f' <span class="badge chance {chance.key}">{escape(chance.text)}</span>'


def _played(matches: int, wins: int) -> str:
    text = ngettext("%(n)s match, %(wins)s won", "%(n)s matches, %(wins)s won", matches)
    return text % {"n": matches, "wins": wins}


# What is new


def news(before: Shown, now: Shown, version: int) -> Standings | None:
    """What turns the one into the other; None where people or frame have changed."""
    old = {row.key: row for row in before.rows}
    if before.frame != now.frame or old.keys() != {row.key for row in now.rows}:
        return None
    changed = {row.key: row.news(old[row.key]) for row in now.rows if row != old[row.key]}
    ranks = zip(now.ranks, before.ranks, strict=True)
    told: Standings = {
        "type": "standings",
        "base": before.hash,
        "hash": now.hash,
        "version": version,
        "rows": {str(key): each for key, each in changed.items()},
        "order": _moves([row.key for row in before.rows], [row.key for row in now.rows]),
        "ranks": [[n, rank] for n, (rank, earlier) in enumerate(ranks) if rank != earlier],
    }
    if before.state != now.state:
        told["state"] = now.state
    if before.foot != now.foot:
        told["foot"] = now.foot
    return told


def _moves(before: Sequence[int], now: Sequence[int]) -> list[list[int]]:
    """Who is to be taken out and put in at which place, from the top: the fewest possible."""
    at = {key: number for number, key in enumerate(before)}
    staying = _longest_rise([at[key] for key in now])
    return [[key, number] for number, key in enumerate(now) if at[key] not in staying]


def _longest_rise(numbers: Sequence[int]) -> set[int]:
    """A longest rising part of different numbers: the last of the best so far of each length,
    and what stands before each."""
    lasts: list[int] = []
    before: dict[int, int | None] = {}
    for number in numbers:
        length = bisect_left(lasts, number)
        before[number] = lasts[length - 1] if length else None
        lasts[length : length + 1] = [number]
    found, at = set(), lasts[-1] if lasts else None
    while at is not None:
        found.add(at)
        at = before[at]
    return found
