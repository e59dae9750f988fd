"""How a person looks: an initial and a colour, the same wherever they are named. Pure."""

import zlib
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
