"""Time that dealing adds to the pause between hands.

    python -m bench.deal [--tables 8] [--seconds 40] …

Tables of four play over real sockets, as in `bench.live`. Each client measures the time from the
end of a hand until it gets the cards of the next hand. The result is this time minus the pause. It
is negative if the cards arrive before the pause ends.
"""

import asyncio
import sys
import time
from typing import Any

from bench.live import PAUSE, SEATS, parse_arguments, run_on_site
from games.client.player import ClientPlayer, Stats


class Watcher(ClientPlayer):
    """Player that records how long it waits for each deal."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.waits: list[float] = []
        self.hand_ended: float | None = None

    async def _handle_message(self, message: Any, socket: Any) -> None:
        if message["type"] == "view":
            self._record_phase(message["view"]["match"]["phase"])
        await super()._handle_message(message, socket)

    def _record_phase(self, phase: str) -> None:
        now = time.monotonic()
        if phase == "between" and self.version:
            self.hand_ended = self.hand_ended or now
        elif phase == "playing" and self.hand_ended is not None:
            self.waits.append(now - self.hand_ended)
            self.hand_ended = None


def measure(url: str, seats: list[tuple[str, str]], options: Any) -> int:
    from games.management.commands.play_bots import play

    stats = Stats()
    players = [Watcher(url, match, cookie, stats, delay=0.07) for match, cookie in seats]
    asyncio.run(play([*players], options.seconds))
    # The first deal is left out, because it may wait for clients to connect.
    added = sorted(1000 * (wait - PAUSE) for player in players for wait in player.waits[1:])
    if added:
        hands = len(added) // SEATS
        print(
            f"{options.tables} tables of {SEATS}: {hands} hands dealt, all players had the cards "
            f"p50 {added[len(added) // 2]:.0f} ms, p99 {added[int(0.99 * len(added))]:.0f} ms "
            f"after the pause of {PAUSE} s, errors {dict(stats.errors)}"
        )
    return int(bool(stats.errors) or not added)


if __name__ == "__main__":
    sys.exit(run_on_site(parse_arguments(), measure))
