"""Late calls and catches: they wait for each other a moment, and the earlier one counts.

The claims wait in `Match.race`, by the seat that forgot UNO, outside the versions: nobody is told
of them. Who looks at the match after the window decides: whoever waits for it, or the ticker. Both
commit against the same version, so it is decided once.
"""

from datetime import UTC, datetime, timedelta
from typing import Any

from games import store
from games.clocks import races, timing
from games.models import Action as LoggedAction
from games.rules.actions import Action
from games.services.basics import Refused
from games.services.play import RACING, Race, carry_out
from games.store import Snapshot


def contested(snapshot: Snapshot, player: int, action: Action) -> bool:
    """Whether somebody else's call or catch might be on its way that was earlier than this one."""
    hand, position = snapshot.hand, snapshot.position
    if action.verb not in RACING or hand is None or position is None:
        return False
    others = (snapshot.seats[seat] for n, seat in enumerate(hand.players) if n != player)
    return bool(position.uncalled >> _of(player, action) & 1) and any(
        seat.user_id is not None for seat in others
    )


def enter(
    snapshot: Snapshot,
    player: int,
    action: Action,
    now: datetime,
    *,
    received: datetime,
    lag: float = 0.0,
    client_id: str = "",
    auto: str = "",
) -> Snapshot:
    """Note the claim, to be decided when its race's window is over; Conflict if it cannot be."""
    of = _of(player, action)
    race = snapshot.match.race.get(str(of)) or _opened(snapshot, of, now)
    credit = int(1000 * _credit(snapshot, player, lag))
    entry = races.claim(player, action.to_json(), _ms(received), credit, client_id, auto)
    return _put(snapshot, {**snapshot.match.race, str(of): races.entered(race, entry)})


def _credit(snapshot: Snapshot, player: int, lag: float) -> float:
    assert snapshot.hand is not None
    match, seat = snapshot.match, snapshot.seats[snapshot.hand.players[player]]
    return timing.quota(match, match.state, seat).credit(lag)


def _put(snapshot: Snapshot, race: dict[str, Any]) -> Snapshot:
    return store.put_race(snapshot, race, _until(race) or snapshot.match.turn_until)


def waiting(snapshot: Snapshot, player: int, client_id: str) -> dict[str, Any] | None:
    """The action that this player's claim of this id is about, while it is not decided."""
    for race in snapshot.match.race.values():
        for entry in race["claims"]:
            if (entry["seat"], entry["id"]) == (player, client_id):
                action: dict[str, Any] = entry["action"]
                return action
    return None


def until(snapshot: Snapshot) -> datetime | None:
    """When the next race will be decided; None without one."""
    return _until(snapshot.match.race)


def _until(race: dict[str, Any]) -> datetime | None:
    ends = [one["until"] for one in race.values()]
    return datetime.fromtimestamp(min(ends) / 1000, UTC) if ends else None


def settled(snapshot: Snapshot, now: datetime) -> Snapshot:
    """The match after all races whose window is over; Conflict if somebody else decides them."""
    for of, race in snapshot.match.race.items():
        if race["until"] <= _ms(now):
            return settled(_decided(snapshot, of, now), now)
    return snapshot


def lost(snapshot: Snapshot, player: int, client_id: str) -> tuple[str, str] | None:
    """Code and sentence for a claim of this hand that another one was faster than."""
    hand = snapshot.hand
    if hand is None:
        return None
    for action in reversed(snapshot.actions):
        for entry in action.timing.get("claims", [])[1:]:
            if (entry["seat"], entry["id"]) == (player, client_id):
                won, names = action.timing["claims"][0], snapshot.names(hand)
                return races.verdict(won, entry, action.timing["of"], names)
    return None


def _decided(snapshot: Snapshot, of: str, now: datetime) -> Snapshot:
    others = {**snapshot.match.race}
    race = others.pop(of)
    claims = races.ranked(race)
    first = claims[0]
    times = {"of": race["of"], "window_ms": races.WINDOW_MS, "claims": claims}
    try:
        return carry_out(
            snapshot,
            first["seat"],
            Action.from_json(first["action"]),
            now=now,
            auto=first["auto"],
            client_id=first["id"],
            race=Race(times, others, timedelta(milliseconds=_ms(now) - race["since"])),
        )
    except Refused:
        # Nothing can make it wrong while it waits; but if something did, the table must go on.
        return _put(snapshot, others)


def _opened(snapshot: Snapshot, of: int, now: datetime) -> races.Race:
    pause = int(snapshot.rules.catch_pause * 1000)
    return races.opened(of, _ms(_played_at(snapshot, of)), pause, _ms(now))


def _played_at(snapshot: Snapshot, of: int) -> datetime:
    """When the seat played the card with which it forgot UNO."""
    plays: list[LoggedAction] = [
        action for action in snapshot.actions if action.seat == of and "play" in action.action
    ]
    return plays[-1].at


def _of(player: int, action: Action) -> int:
    return player if action.verb == "call" else action.seat


def _ms(moment: datetime) -> int:
    return round(moment.timestamp() * 1000)
