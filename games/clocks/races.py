"""Races between a late UNO call and catches of the player who forgot to call.

The first claim to arrive opens a window. All claims that arrive within it are compared by
compensated time: the time of receipt, less the player's credit for lag (games/clocks/lag.py). The
credit is at most 150 ms, so a player who delays every answer cannot win a race that was lost by
more. In a tie, the UNO call wins.

Whatever the credit, no claim counts as made before the card was played, and no player can be caught
before the respectful pause is over. This module is pure. Times are in milliseconds since 1970.
"""

from collections.abc import Sequence
from dataclasses import replace

from games.json_values.race import Claim, Race, TimedClaim, Timing
from games.rules.text import _
from games.seats import PlayerIndex

# Long enough to receive messages that ordinary phones send at the same moment, and too short to
# notice.
WINDOW_MS = 400

CALL_FIRST, CATCH_FIRST = "call-first", "catch-first"


def open_race(of: PlayerIndex, played_at: int, pause: int, now: int) -> Race:
    """Return a race without claims, for the UNO that player `of` forgot to call at `played_at`."""
    return Race(of, since=now, until=now + WINDOW_MS, played=played_at, catchable=played_at + pause)


def add_claim(race: Race, claim: Claim) -> Race:
    """Return the race with this claim added, unless its player already has a claim in the race."""
    if any(each.player == claim.player for each in race.claims):
        return race
    return replace(race, claims=(*race.claims, claim))


def rank_claims(race: Race) -> Timing:
    """Rank the claims by compensated time, earliest first."""
    claims = [TimedClaim(claim, _compensated_time(race, claim)) for claim in race.claims]
    return Timing(race.of, WINDOW_MS, tuple(sorted(claims, key=_sort_key)))


def _compensated_time(race: Race, claim: Claim) -> int:
    earliest = race.played if claim.is_call else race.catchable
    return max(earliest, claim.received - claim.credit)


def _sort_key(timed: TimedClaim) -> tuple[int, bool, int, int]:
    claim = timed.claim
    return timed.compensated, not claim.is_call, claim.received, claim.player


def explain_lost_claim(
    won: TimedClaim, lost: TimedClaim, of: PlayerIndex, names: Sequence[str]
) -> tuple[str, str]:
    """Return the code and the sentence for the player whose claim came second.

    `names` are indexed by player of the hand.
    """
    winner, seconds = names[won.claim.player], _describe_margin(won, lost)
    if won.claim.is_call:
        text = (
            _("{winner} said UNO {seconds} s before you.")
            if seconds
            else _("{winner} said UNO at the same moment as you.")
        )
        return CALL_FIRST, text.format(winner=winner, seconds=seconds)
    text = _describe_own_catch(seconds) if lost.claim.is_call else _describe_other_catch(seconds)
    return CATCH_FIRST, text.format(winner=winner, name=names[of], seconds=seconds)


def _describe_own_catch(seconds: str) -> str:
    if seconds:
        return _("{winner} caught you {seconds} s before you said UNO.")
    return _("{winner} caught you at the very moment you said UNO.")


def _describe_other_catch(seconds: str) -> str:
    if seconds:
        return _("{winner} caught {name} {seconds} s before you.")
    return _("{winner} caught {name} at the same moment as you.")


def describe_lost_claim(won: TimedClaim, lost: TimedClaim, names: Sequence[str]) -> str:
    """Describe the lost claim in a sentence for the log, the same for all readers.

    It follows the sentence about the winning claim.
    """
    seconds = _describe_margin(won, lost)
    text = _describe_lost_uno(seconds) if lost.claim.is_call else _describe_lost_catch(seconds)
    return text.format(name=names[lost.claim.player], seconds=seconds)


def _describe_lost_uno(seconds: str) -> str:
    if seconds:
        return _("{name} said UNO {seconds} s later.")
    return _("{name} said UNO at the same moment.")


def _describe_lost_catch(seconds: str) -> str:
    if seconds:
        return _("{name}’s catch came {seconds} s later.")
    return _("{name}’s catch came at the same moment.")


def describe_arrivals(won: TimedClaim, lost: TimedClaim, names: Sequence[str]) -> str:
    """Describe when both claims arrived, and how much was deducted for network delay.

    Times count from the arrival of the first claim.
    """
    start = min(won.claim.received, lost.claim.received)
    text = _(
        "Times since the first message arrived: {winner} {won} s, less {won_credit} s "
        "for network delay; {loser} {lost} s, less {lost_credit} s."
    )
    return text.format(
        winner=names[won.claim.player],
        won=_format_seconds(won.claim.received - start),
        won_credit=_format_seconds(won.claim.credit),
        loser=names[lost.claim.player],
        lost=_format_seconds(lost.claim.received - start),
        lost_credit=_format_seconds(lost.claim.credit),
    )


def _format_seconds(milliseconds: int) -> str:
    return f"{milliseconds / 1000:.2f}"


def _describe_margin(won: TimedClaim, lost: TimedClaim) -> str:
    """Describe by how many seconds `won` was earlier, or return "" if that is negligible."""
    seconds = (lost.compensated - won.compensated) / 1000
    return f"{seconds:.2f}" if seconds >= 0.005 else ""
