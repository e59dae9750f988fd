"""A player's part in fair deals: make a share, commit to it, and open it.

docs/protocol.md, "The fair deal", describes when a client sends each message and what it checks
first.
"""

import secrets
from collections.abc import Iterator

from games.protocol import WindowView
from games.protocol.deals import DealFacts
from games.protocol.messages import Commit, Open
from games.rules.fair.deal import SHARE_BYTES, DealKey, ShareList, share_commitment


class Shares:
    """One seat's shares in the deals of a match.

    `complaints` contains a sentence for each fault found. A share is not opened for a faulty list.
    """

    def __init__(self) -> None:
        self.kept: dict[DealKey, bytes] = {}
        self.complaints: list[str] = []
        self._servers: dict[DealKey, str] = {}
        self._taken: set[str] = set()
        self._opened: dict[DealKey, str] = {}

    def answers(self, view: WindowView) -> Iterator[Commit | Open]:
        """Yield the messages that the seat has to send in reply to this view.

        A message may be sent repeatedly. The server then only acknowledges it again.
        """
        facts, seat = view["deal"], view["you"]
        if facts is None or seat is None or not view["seats"][seat]["playing"]:
            return
        draw = DealKey(view["match"]["id"], facts["hand"], facts["attempt"])
        if facts["step"] == "commit":
            yield self._commit(draw, seat, facts)
        elif facts["step"] == "open" and draw in self.kept:
            yield from self._open(draw, seat, facts)
        elif draw in self._opened and facts["shares"].get(str(seat)) != self.kept[draw].hex():
            self._add_complaint(draw, "The deal does not include this seat’s share unchanged.")

    def acknowledge(self, client_id: str) -> None:
        """Record that the server has acknowledged the message with this id."""
        self._taken.add(client_id)

    def _commit(self, draw: DealKey, seat: int, facts: DealFacts) -> Commit:
        self._servers.setdefault(draw, facts["server"])
        share = self.kept.setdefault(draw, secrets.token_bytes(SHARE_BYTES))
        return {
            "type": "commit",
            "id": _build_message_id("commit", draw),
            "hand": draw.hand,
            "attempt": draw.attempt,
            "commitment": share_commitment(draw, seat, share),
        }

    def _open(self, draw: DealKey, seat: int, facts: DealFacts) -> Iterator[Open]:
        agreed = ShareList.from_json(facts["list"])
        digest = agreed.digest().hex()
        if (seat, share_commitment(draw, seat, self.kept[draw])) not in agreed.entries:
            if _build_message_id("commit", draw) in self._taken:
                self._add_complaint(draw, "This seat’s share was left out of the list.")
        elif (agreed.draw, agreed.server) != (draw, self._servers[draw]):
            self._add_complaint(
                draw, "The list is for another deal, or has another commitment of the server."
            )
        elif self._opened.setdefault(draw, digest) != digest:
            self._add_complaint(draw, "There are two lists for this deal.")
        else:
            yield {
                "type": "open",
                "id": _build_message_id("open", draw),
                "hand": draw.hand,
                "attempt": draw.attempt,
                "list": digest,
                "share": self.kept[draw].hex(),
            }

    def _add_complaint(self, draw: DealKey, sentence: str) -> None:
        self.complaints.append(f"Hand {draw.hand}, attempt {draw.attempt}: {sentence}")


def _build_message_id(kind: str, draw: DealKey) -> str:
    return f"{kind}-{draw.hand}-{draw.attempt}"
