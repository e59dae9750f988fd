"""The rows of a leaderboard as HTML. Pages show all rows, and sockets send the changed ones.

A row does not count as changed if only its rank is new. When a player moves up, many others move
down by one, but the ranks from top to bottom stay the same.
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
from tournament.templatetags.people import career_link, render_name
from tournament.web.live.messages import StandingsMessage

ROW = "tournament/standings/leaderboard_row.html"
CHANCE = "tournament/standings/chance.html"


# Not frozen: thousands are created, and a frozen instance takes five times as long to create.
@dataclass
class BoardRow:
    """A row of the leaderboard as HTML.

    `key` is the registration's id. `look` has everything that the row shows except its rank.
    """

    key: int
    rank: int
    look: tuple[object, ...]
    html: str


@dataclass(frozen=True)
class ShownLeaderboard:
    """A leaderboard as viewers see it.

    * `state`, `legend`: the HTML above the rows.
    * `frame`: text around the leaderboard that cannot be updated by a message.
    """

    state: str
    rows: tuple[BoardRow, ...]
    legend: str
    frame: str = ""

    @cached_property
    def body(self) -> SafeString:
        """The HTML of all rows."""
        return SafeString("".join([row.html for row in self.rows]))

    @cached_property
    def hash(self) -> str:
        """A hash that is equal for leaderboards that look the same."""
        content = "\0".join((self.frame, self.state, self.body, self.legend))
        return hashlib.blake2b(content.encode(), digest_size=6).hexdigest()


def render_rows(board: Leaderboard) -> tuple[BoardRow, ...]:
    """Render the rows of the leaderboard, in order."""
    rows_above, template = [None, *board.rows], get_template(ROW)
    # Many rows have the same texts, which are therefore rendered only once.
    played, chance, rows = cache(_describe_matches), cache(_render_chance), []
    careers = find_public_pages(board.event)
    through = board.through_text
    for number, (row, row_above) in enumerate(zip(board.rows, rows_above, strict=False), 1):
        # Numbers are passed as text, because localizing each of them in the template is slow.
        look = {
            "key": str(row.registration.pk),
            "points": row.figure,
            "ranked": bool(row.counts and row.shown_rank),
            "tied": row.tied,
            "person": _render_person(board.event.slug, row),
            "career": career_link(row.registration, careers),
            "playing": row.provisional,
            "through": through if row.through else "",
            "chance": chance(row.chance),
            "last": number == board.cut,
            "played": played(row.matches, row.wins),
            "note": describe_rank(row, row_above),
            "matches": str(row.matches),
            "wins": str(row.wins),
        }
        html = template.render({**look, "rank": str(row.rank)})
        rows.append(BoardRow(row.registration.pk, row.rank, tuple(look.values()), html))
    return tuple(rows)


def describe_rank(row: LeaderRow, above: LeaderRow | None) -> str:
    """Return a sentence that explains a row's rank.

    Returns "" if the points explain it, or if the rank is shared.
    """
    if not row.counts or row.always_explained:
        return row.separated_by
    decided_by_tie_break = (
        above is not None and above.figure == row.figure and above.rank != row.rank
    )
    return row.reason_in_list if decided_by_tie_break else ""


def _render_person(slug: str, row: LeaderRow) -> str:
    person = row.registration
    linked_slug = "" if person.anonymous else slug
    return render_name(linked_slug, person.queue_number, row.name, person.user_id, person.look)


def _render_chance(chance: QualifyingChance | None) -> SafeString:
    return SafeString(render_to_string(CHANCE, {"chance": chance}).rstrip())


def _describe_matches(matches: int, wins: int) -> str:
    text = ngettext("%(n)s match, %(wins)s won", "%(n)s matches, %(wins)s won", matches)
    return text % {"n": matches, "wins": wins}


# Changes between two boards


def list_changes(
    before: ShownLeaderboard, now: ShownLeaderboard, version: int
) -> StandingsMessage | None:
    """Return the changes that turn one leaderboard into the other.

    Returns None if the players or the frame have changed.
    """
    old = {row.key: row for row in before.rows}
    if before.frame != now.frame or old.keys() != {row.key for row in now.rows}:
        return None
    ranks = zip(now.rows, before.rows, strict=True)
    message: StandingsMessage = {
        "type": "standings",
        "base": before.hash,
        "hash": now.hash,
        "version": version,
        "rows": {str(row.key): row.html for row in now.rows if row.look != old[row.key].look},
        "order": _list_moves([row.key for row in before.rows], [row.key for row in now.rows]),
        "ranks": [
            [position, row.rank]
            for position, (row, previous) in enumerate(ranks)
            if row.rank != previous.rank
        ],
    }
    if before.state != now.state:
        message["state"] = now.state
    if before.legend != now.legend:
        message["legend"] = now.legend
    return message


def _list_moves(before: Sequence[int], now: Sequence[int]) -> list[list[int]]:
    """Return the shortest list of moves that turns one order into the other.

    A move is a pair of a row and its new position. The top row has position 0.
    """
    positions = {key: number for number, key in enumerate(before)}
    staying = _longest_increasing_subsequence([positions[key] for key in now])
    return [[key, number] for number, key in enumerate(now) if positions[key] not in staying]


def _longest_increasing_subsequence(numbers: Sequence[int]) -> set[int]:
    """Return the numbers of a longest increasing subsequence. All numbers are distinct.

    `lasts` has the smallest last number of the subsequences of each length that were found.
    """
    lasts: list[int] = []
    predecessors: dict[int, int | None] = {}
    for number in numbers:
        length = bisect_left(lasts, number)
        predecessors[number] = lasts[length - 1] if length else None
        lasts[length : length + 1] = [number]
    subsequence, current = set(), lasts[-1] if lasts else None
    while current is not None:
        subsequence.add(current)
        current = predecessors[current]
    return subsequence
