"""Who was first, where a late UNO and catches of the same forgotten UNO race? Pure.

The first of them to arrive opens a window. What arrives within it is compared by compensated
time: when the server received it, less the player's credited lag (games/clocks/lag.py). A tie
goes to who says UNO. Nobody was there before the card was played, nor may anybody be caught before
the respectful pause is over, however much lag is credited. Times are in milliseconds since 1970;
seats are counted as the hand does.
"""

from collections.abc import Mapping, Sequence
from typing import Any

# Long enough for what a usual phone sent at the same moment, short enough not to be felt.
WINDOW_MS = 400

# JSON as the match stores it.
Claim = dict[str, Any]
Race = dict[str, Any]

CALL_FIRST, CATCH_FIRST = "call-first", "catch-first"


def opened(of: int, played: int, pause: int, now: int) -> Race:
    """A race for the UNO that seat `of` forgot at `played`; nobody has entered it yet."""
    earliest = {"call": played, "catch": played + pause}
    return {"of": of, "since": now, "until": now + WINDOW_MS, "earliest": earliest, "claims": []}


def claim(
    seat: int, action: Mapping[str, Any], received: int, credit: int, client_id: str, auto: str
) -> Claim:
    return {
        "seat": seat,
        "action": dict(action),
        "received": received,
        "credit": credit,
        "id": client_id,
        "auto": auto,
    }


def entered(race: Race, entry: Claim) -> Race:
    """The race with one claim more; a seat's first one counts."""
    if any(each["seat"] == entry["seat"] for each in race["claims"]):
        return race
    return {**race, "claims": [*race["claims"], entry]}


def ranked(race: Race) -> list[Claim]:
    """All claims, the first one first, each with its `compensated` time."""
    claims = [{**each, "compensated": _compensated(race, each)} for each in race["claims"]]
    return sorted(claims, key=_order)


def _compensated(race: Race, entry: Claim) -> int:
    earliest: int = race["earliest"]["call" if _calls(entry) else "catch"]
    received: int = entry["received"] - entry["credit"]
    return max(earliest, received)


def _order(entry: Claim) -> tuple[int, bool, int, int]:
    return entry["compensated"], not _calls(entry), entry["received"], entry["seat"]


def _calls(entry: Claim) -> bool:
    return "call" in entry["action"]


def verdict(won: Claim, lost: Claim, of: int, names: Sequence[str]) -> tuple[str, str]:
    """Code and sentence for the player whose claim came second."""
    before = _before(won, lost)
    if _calls(won):
        return CALL_FIRST, f"{names[won['seat']]} said UNO {before} you."
    if _calls(lost):
        return CATCH_FIRST, f"{names[won['seat']]} caught you {before} you said UNO."
    return CATCH_FIRST, f"{names[won['seat']]} caught {names[of]} {before} you."


def told(won: Claim, lost: Claim, names: Sequence[str]) -> str:
    """The same for everybody: what stands in the log behind the deed that came first."""
    what = "UNO" if _calls(lost) else "catch"
    return f"{_before(won, lost)} {_genitive(names[lost['seat']])} {what}"


def _before(won: Claim, lost: Claim) -> str:
    seconds = (lost["compensated"] - won["compensated"]) / 1000
    return f"{seconds:.2f} s before" if seconds >= 0.005 else "at the same moment as"


def _genitive(name: str) -> str:
    return f"{name}'" if name.endswith("s") else f"{name}'s"
