"""The leaderboard in rows: a page gets all of them, a socket only the changed ones.

The appearance of a row is defined by its template. A row whose rank changes is not a changed
row: a player who rises pushes many others down by one, but the ranks from top to bottom stay
the same.
"""

import hashlib
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache, cached_property

from django.template.loader import get_template, render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import ngettext

from tournament.careers.queries import find_public_pages
from tournament.standings.rows import Leaderboard, LeaderRow, QualifyingChance
from tournament.templatetags.people import career_link, show_name
from tournament.web.live.messages import StandingsMessage

ROW = "tournament/standings/leaderboard_row.html"
CHANCE = "tournament/standings/chance.html"


# Not frozen, as there are thousands: a frozen one takes five times as long to make.
@dataclass
class BoardRow:
    """One row of the leaderboard, as HTML.

    `key`: the registration's key. `look`: everything that the row shows except its rank.
    """

    key: int
    rank: int
    look: tuple[object, ...]
    html: str


@dataclass(frozen=True)
class ShownLeaderboard:
    """A whole leaderboard as shown.

    `state` and `legend`: the HTML above. `frame`: the HTML around them.
    """

    state: str
    rows: tuple[BoardRow, ...]
    legend: str
    frame: str = ""

    @cached_property
    def body(self) -> SafeString:
        """The HTML of the rows only."""
        return SafeString("".join([row.html for row in self.rows]))

    @cached_property
    def hash(self) -> str:
        """Hash that is equal for boards that look the same."""
        around = "\0".join((self.frame, self.state, self.body, self.legend))
        return hashlib.blake2b(around.encode(), digest_size=6).hexdigest()


def render_rows(board: Leaderboard) -> tuple[BoardRow, ...]:
    """Return the rows of the board, in its order."""
    above, template = [None, *board.rows], get_template(ROW)
    # Many rows have the same text, so each text is rendered once.
    played, chance, rows = cache(_describe_matches), cache(_render_chance), []
    careers = find_public_pages(board.event)
    through = board.through_text
    for number, (row, before) in enumerate(zip(board.rows, above, strict=False), 1):
        # Numbers as texts: a template asks of each number how the language writes it.
        look = {
            "key": str(row.registration.pk),
            "points": row.figure,
            "ranked": bool(row.matches and row.shown_rank),
            "tied": row.tied,
            "person": _render_person(board.event.slug, row),
            "career": career_link(row.registration, careers),
            "playing": row.provisional,
            "through": through if row.through else "",
            "chance": chance(row.chance),
            "last": number == board.cut,
            "played": played(row.matches, row.wins),
            "note": note(row, before),
            "matches": str(row.matches),
            "wins": str(row.wins),
        }
        html = template.render({**look, "rank": str(row.rank)})
        rows.append(BoardRow(row.registration.pk, row.rank, tuple(look.values()), html))
    return tuple(rows)


def note(row: LeaderRow, above: LeaderRow | None) -> str:
    """Return the sentence about a row's rank.

    It is left out if points or a shared rank already explain the rank.
    """
    if not row.matches or row.told:
        return row.separated_by
    parted = above is not None and above.figure == row.figure and above.rank != row.rank
    return row.separated_by if parted else ""


def _render_person(slug: str, row: LeaderRow) -> str:
    person = row.registration
    linked = "" if person.anonymous else slug
    return show_name(linked, person.queue_number, row.name, person.user_id, person.look)


def _render_chance(chance: QualifyingChance | None) -> SafeString:
    return SafeString(render_to_string(CHANCE, {"chance": chance}).rstrip())


def _describe_matches(matches: int, wins: int) -> str:
    text = ngettext("%(n)s match, %(wins)s won", "%(n)s matches, %(wins)s won", matches)
    return text % {"n": matches, "wins": wins}


# Changes between two boards


def list_changes(
    before: ShownLeaderboard, now: ShownLeaderboard, version: int
) -> StandingsMessage | None:
    """Return the changes that turn one board into the other.

    Return None if the players or the frame have changed.
    """
    old = {row.key: row for row in before.rows}
    if before.frame != now.frame or old.keys() != {row.key for row in now.rows}:
        return None
    ranks = zip(now.rows, before.rows, strict=True)
    told: StandingsMessage = {
        "type": "standings",
        "base": before.hash,
        "hash": now.hash,
        "version": version,
        "rows": {str(row.key): row.html for row in now.rows if row.look != old[row.key].look},
        "order": _list_moves([row.key for row in before.rows], [row.key for row in now.rows]),
        "ranks": [[n, row.rank] for n, (row, then) in enumerate(ranks) if row.rank != then.rank],
    }
    if before.state != now.state:
        told["state"] = now.state
    if before.legend != now.legend:
        told["legend"] = now.legend
    return told


def _list_moves(before: Sequence[int], now: Sequence[int]) -> list[list[int]]:
    """Return the fewest moves that turn one order into the other.

    Each move is a row to remove and the position at which to insert it, from the top.
    """
    at = {key: number for number, key in enumerate(before)}
    staying = _find_longest_rise([at[key] for key in now])
    return [[key, number] for number, key in enumerate(now) if at[key] not in staying]


def _find_longest_rise(numbers: Sequence[int]) -> set[int]:
    """Return a longest rising subsequence of distinct numbers.

    For each length, the algorithm keeps the last number of the best sequence so far, and for each
    number the one before it.
    """
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
