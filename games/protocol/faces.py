"""A person's face: an initial or a sign on a coloured background, the same on all pages.

This module is pure.
"""

import zlib
from collections.abc import Sequence
from typing import NamedTuple, TypedDict

# static/css/tokens.css numbers the colours in this order. static/img/signs.svg has the signs.
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

    `account` is None for a bot or a guest. `look` is the account's choice of at most one of COLORS
    and one of SIGNS, for example "petrol owl", "owl" or "".
    """

    name: str
    account: int | None = None
    look: str = ""


def split_look(look: str) -> tuple[str, str]:
    """Return the colour and the sign of a look. Either is "" if it is missing or unknown."""
    words = look.split()
    color, sign = (
        next((word for word in words if word in choices), "") for choices in (COLORS, SIGNS)
    )
    return color, sign


def face_of(name: str, account: int | None = None, look: str = "") -> Face:
    """Return a person's face, with the colour and the sign of `look`, if any.

    The default colour depends on the account, so that it stays the same if the name changes. For
    bots and guests, it depends on the name.
    """
    key = name.casefold() if account is None else str(account)
    letter = next((each for each in name if each.isalnum()), "?")
    color, sign = split_look(look)
    tone = COLORS.index(color) if color else zlib.crc32(key.encode()) % TONES
    return {"letter": letter.upper()[:1], "tone": tone, "sign": sign}


def faces_at(people: Sequence[Person]) -> list[Face]:
    """Return the faces of a table's seats in seat order, no two with the same colour.

    People who chose a colour come first, in seat order, and the others after them. A person whose
    colour is taken gets the next free one. There can be at most `TONES` people.
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
