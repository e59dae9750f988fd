"""A person's face: an initial or a sign on a colour, the same on all pages.

This module is pure.
"""

import zlib
from collections.abc import Sequence
from typing import NamedTuple, TypedDict

# The index of a colour is its number in static/css/tokens.css. The signs are in
# static/img/signs.svg.
COLORS = (
    *("violet", "copper", "petrol", "pink", "brown", "sage"),
    *("wine", "lilac", "ochre", "indigo", "stone", "plum"),
)
SIGNS = (
    *("cat", "rabbit", "owl", "bear", "fox", "tiger"),
    *("elephant", "fish", "bird", "lotus", "kite", "cup"),
)
TONES = len(COLORS)


class Face(TypedDict):
    letter: str
    tone: int
    sign: str


class Person(NamedTuple):
    """A person with a face.

    `account` is None for a bot or a guest. `look` is the account's choice of COLORS and
    SIGNS, at most one of each: "petrol owl", "owl" or "".
    """

    name: str
    account: int | None = None
    look: str = ""


def split_look(look: str) -> tuple[str, str]:
    """Return the colour and the sign of a look. Each is "" if absent or unknown."""
    words = look.split()
    color, sign = (
        next((word for word in words if word in choices), "") for choices in (COLORS, SIGNS)
    )
    return color, sign


def face_of(name: str, account: int | None = None, look: str = "") -> Face:
    """Return the chosen face. If nothing was chosen, return a default for the account or name.

    The default colour depends on the account, even if its name changes. Without an account, as for
    a bot, it depends on the name.
    """
    key = name.casefold() if account is None else str(account)
    letter = next((each for each in name if each.isalnum()), "?")
    color, sign = split_look(look)
    tone = COLORS.index(color) if color else zlib.crc32(key.encode()) % TONES
    return {"letter": letter.upper()[:1], "tone": tone, "sign": sign}


def faces_at(people: Sequence[Person]) -> list[Face]:
    """Return the faces of a table's seats in seat order, no two with the same colour.

    People who chose a colour get it first, lower seats before higher ones. All others get the next
    free colour. There are at most `TONES` people.
    """
    faces, used = [face_of(*person) for person in people], set[int]()
    wished = [split_look(person.look)[0] for person in people]
    seats = range(len(people))
    for seat in sorted(seats, key=lambda seat: (not wished[seat], wished[seat] in wished[:seat])):
        own = faces[seat]["tone"]
        free = ((own + step) % TONES for step in range(TONES))
        faces[seat]["tone"] = next(tone for tone in free if tone not in used)
        used.add(faces[seat]["tone"])
    return faces
