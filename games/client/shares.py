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

    def messages_for(self, view: WindowView) -> Iterator[Commit | Open]:
        """Yield the messages that the seat has to send in reply to this view.

        A message may be sent repeatedly. The server then only acknowledges it again.
        """
        facts, seat = view["deal"], view["you"]
        if facts is None or seat is None or not view["seats"][seat]["playing"]:
            return
        deal = DealKey(view["match"]["id"], facts["hand"], facts["attempt"])
        if facts["step"] == "commit":
            yield self._build_commitment(deal, seat, facts)
        elif facts["step"] == "open" and deal in self.kept:
            yield from self._build_opening(deal, seat, facts)
        elif deal in self._opened and facts["shares"].get(str(seat)) != self.kept[deal].hex():
            self._add_complaint(deal, "The deal does not include this seat’s share unchanged.")

    def acknowledge(self, client_id: str) -> None:
        """Record that the server has acknowledged the message with this id."""
        self._taken.add(client_id)

    def _build_commitment(self, deal: DealKey, seat: int, facts: DealFacts) -> Commit:
        self._servers.setdefault(deal, facts["server"])
        share = self.kept.setdefault(deal, secrets.token_bytes(SHARE_BYTES))
        return {
            "type": "commit",
            "id": _build_message_id("commit", deal),
            "hand": deal.hand,
            "attempt": deal.attempt,
            "commitment": share_commitment(deal, seat, share),
        }

    def _build_opening(self, deal: DealKey, seat: int, facts: DealFacts) -> Iterator[Open]:
        agreed = ShareList.from_json(facts["list"])
        digest = agreed.digest().hex()
        if (seat, share_commitment(deal, seat, self.kept[deal])) not in agreed.entries:
            if _build_message_id("commit", deal) in self._taken:
                self._add_complaint(deal, "This seat’s share was left out of the list.")
        elif (agreed.draw, agreed.server) != (deal, self._servers[deal]):
            self._add_complaint(
                deal, "The list is for another deal, or has another commitment of the server."
            )
        elif self._opened.setdefault(deal, digest) != digest:
            self._add_complaint(deal, "There are two lists for this deal.")
        else:
            yield {
                "type": "open",
                "id": _build_message_id("open", deal),
                "hand": deal.hand,
                "attempt": deal.attempt,
                "list": digest,
                "share": self.kept[deal].hex(),
            }

    def _add_complaint(self, deal: DealKey, sentence: str) -> None:
        self.complaints.append(f"Hand {deal.hand}, attempt {deal.attempt}: {sentence}")


def _build_message_id(kind: str, deal: DealKey) -> str:
    return f"{kind}-{deal.hand}-{deal.attempt}"
