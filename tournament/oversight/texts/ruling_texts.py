"""Sentences about rulings, for the event history and for pending requests."""

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext_lazy, ngettext_lazy

from tournament.common.kinds import check_complete
from tournament.models import Ruling
from tournament.oversight.history_names import NameIndex, describe_place
from tournament.pure.chain import Facts

Kind = Ruling.Kind


@dataclass(frozen=True)
class RulingTexts:
    """The sentences about one kind of ruling.

    * `history`: the sentence in the history, with {place}, {name}, {substitute} and {points}.
    * `request`: the sentence about a request, with {name} and {points}. It is "" for kinds that
      never need a second organizer.
    """

    history: Any
    request: Any = ""

    def describe_request(self, name: str, points: int) -> str:
        """Describe a ruling that is waiting for a second organizer."""
        assert self.request
        return str(self.request.format(name=name, points=points))

    def describe_entry(self, facts: Facts, names: NameIndex) -> str:
        """Describe a ruling for the public history."""
        sentence = self.history.format(
            place=describe_place(facts, names),
            name=names.player(facts["registration"]),
            substitute=names.player(facts["substitute"]),
            points=facts["points"],
        )
        return str(sentence)


RULINGS = check_complete(
    Kind,
    {
        Kind.CAUTION: RulingTexts(gettext_lazy("{place}: {name} was cautioned.")),
        Kind.WARNING: RulingTexts(gettext_lazy("{place}: {name} was warned.")),
        Kind.POINTS: RulingTexts(
            ngettext_lazy(
                "{place}: {points} point was deducted from {name}.",
                "{place}: {points} points were deducted from {name}.",
                "points",
            ),
            ngettext_lazy(
                "Deduct {points} point from {name}.",
                "Deduct {points} points from {name}.",
                "points",
            ),
        ),
        Kind.DISQUALIFY: RulingTexts(
            gettext_lazy("{place}: {name} was disqualified."), gettext_lazy("Disqualify {name}.")
        ),
        Kind.FORFEIT: RulingTexts(gettext_lazy("{place}: {name} forfeited the match.")),
        Kind.LEAVE: RulingTexts(
            gettext_lazy("{place}: {name} left the event."),
            gettext_lazy("Remove {name} from the event."),
        ),
        Kind.SUBSTITUTE: RulingTexts(gettext_lazy("{place}: {substitute} took {name}’s seat.")),
        Kind.BOT: RulingTexts(
            gettext_lazy("{place}: a bot took over {name}’s seat until their return.")
        ),
    },
)
