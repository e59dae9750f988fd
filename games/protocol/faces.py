"""How a person looks: an initial and a colour, the same wherever they are named. Pure."""

import zlib
from collections.abc import Sequence
from typing import TypedDict

# static/css/faces.css has the colours.
TONES = 12


class Face(TypedDict):
    letter: str
    tone: int


def face_of(name: str, account: int | None = None) -> Face:
    """The face of an account, whatever it is called; where there is none (a bot), of the name."""
    key = name.casefold() if account is None else str(account)
    letter = next((each for each in name if each.isalnum()), "?")
    return {"letter": letter.upper()[:1], "tone": zlib.crc32(key.encode()) % TONES}


def faces_at(people: Sequence[tuple[str, int | None]]) -> list[Face]:
    """The faces of a table's seats, by name and account, in order of seat: no two have the same
    colour, whoever sits first keeps the own one. At most `TONES` people."""
    faces: list[Face] = []
    for name, account in people:
        face, taken = face_of(name, account), {one["tone"] for one in faces}
        free = ((face["tone"] + step) % TONES for step in range(TONES))
        faces.append({**face, "tone": next(tone for tone in free if tone not in taken)})
    return faces
