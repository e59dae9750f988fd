"""`Match.race` and `LoggedAction.timing`: competing claims and their order.

Times are in milliseconds since 1970. games/clocks/races.py explains the rules of a race. This
module is pure.
"""

from dataclasses import dataclass, replace
from typing import Self

from games.json_values.shapes import Json
from games.json_values.submitted_action import SubmittedAction
from games.rules.actions.actions import Action
from games.seats import PlayerIndex


@dataclass(frozen=True, slots=True)
class Claim:
    """A call or catch that takes part in a race, with its time of receipt and credit for lag."""

    submitted: SubmittedAction
    received: int
    credit: int

    @property
    def player(self) -> PlayerIndex:
        return self.submitted.player

    @property
    def is_call(self) -> bool:
        return self.submitted.action.verb == "call"

    def shift(self, by: int) -> "Claim":
        """Return the claim with its time shifted by `by` milliseconds."""
        return replace(self, received=self.received + by)

    @classmethod
    def from_json(cls, data: Json) -> Self:
        # Older rows name this key "seat", although its value has always been a player of the hand.
        player = data["player"] if "player" in data else data["seat"]
        action = Action.from_json(data["action"])
        submitted = SubmittedAction(PlayerIndex(player), action, data["id"], data["auto"])
        return cls(submitted, data["received"], data["credit"])

    def to_json(self) -> Json:
        submitted = self.submitted
        return {
            "player": submitted.player,
            "action": submitted.action.to_json(),
            "received": self.received,
            "credit": self.credit,
            "id": submitted.client_id,
            "auto": submitted.auto,
        }


@dataclass(frozen=True, slots=True)
class TimedClaim:
    """A claim with its compensated time, which decides the race."""

    claim: Claim
    compensated: int

    @classmethod
    def from_json(cls, data: Json) -> Self:
        return cls(Claim.from_json(data), data["compensated"])

    def to_json(self) -> Json:
        return {**self.claim.to_json(), "compensated": self.compensated}


@dataclass(frozen=True, slots=True)
class Race:
    """Race between a late UNO call and the other players' catches.

    * `of`: the player who forgot to call UNO.
    * `since`, `until`: when the race was opened, and when it is decided.
    * `played`: when the card was played for which UNO was not called.
    * `catchable`: the earliest time at which the player can be caught.
    """

    of: PlayerIndex
    since: int
    until: int
    played: int
    catchable: int
    claims: tuple[Claim, ...] = ()

    def shift(self, by: int) -> "Race":
        """Return the race with all its times shifted by `by` milliseconds."""
        return replace(
            self,
            since=self.since + by,
            until=self.until + by,
            played=self.played + by,
            catchable=self.catchable + by,
            claims=tuple(claim.shift(by) for claim in self.claims),
        )

    @classmethod
    def from_json(cls, data: Json) -> Self:
        return cls(
            of=PlayerIndex(data["of"]),
            since=data["since"],
            until=data["until"],
            played=data["earliest"]["call"],
            catchable=data["earliest"]["catch"],
            claims=tuple(Claim.from_json(claim) for claim in data["claims"]),
        )

    def to_json(self) -> Json:
        return {
            "of": self.of,
            "since": self.since,
            "until": self.until,
            "earliest": {"call": self.played, "catch": self.catchable},
            "claims": [claim.to_json() for claim in self.claims],
        }


@dataclass(frozen=True, slots=True)
class Races:
    """The undecided races of a match, at most one for each player who forgot to call UNO."""

    running: tuple[Race, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.running)

    @property
    def claims(self) -> list[Claim]:
        return [claim for race in self.running for claim in race.claims]

    @property
    def until(self) -> int | None:
        """Time at which the next race is decided, or None if there are no races."""
        return min((race.until for race in self.running), default=None)

    def find(self, player: PlayerIndex) -> Race | None:
        return next((race for race in self.running if race.of == player), None)

    def remove(self, player: PlayerIndex) -> "Races":
        return Races(tuple(race for race in self.running if race.of != player))

    def put(self, race: Race) -> "Races":
        """Return the races with this one added, in order of their start.

        It replaces any other race for the same player.
        """
        running = (*self.remove(race.of).running, race)
        return Races(tuple(sorted(running, key=lambda entry: entry.since)))

    def shift(self, by: int) -> "Races":
        return Races(tuple(race.shift(by) for race in self.running))

    @classmethod
    def from_json(cls, data: Json) -> Self:
        return cls(tuple(Race.from_json(race) for race in data.values()))

    def to_json(self) -> Json:
        return {str(race.of): race.to_json() for race in self.running}


@dataclass(frozen=True, slots=True)
class Timing:
    """Log entry of a decided race, with its claims, earliest first. Empty if there was no race."""

    of: PlayerIndex | None = None
    window_ms: int = 0
    claims: tuple[TimedClaim, ...] = ()

    @property
    def untimed_claims(self) -> list[Claim]:
        """The claims without their compensated times."""
        return [timed.claim for timed in self.claims]

    @classmethod
    def from_json(cls, data: Json) -> Self:
        if not data:
            return cls()
        claims = tuple(TimedClaim.from_json(claim) for claim in data["claims"])
        return cls(PlayerIndex(data["of"]), data["window_ms"], claims)

    def to_json(self) -> Json:
        if self.of is None:
            return {}
        claims = [claim.to_json() for claim in self.claims]
        return {"of": self.of, "window_ms": self.window_ms, "claims": claims}
