"""Names of rounds, for pages and for stored sentences."""

from collections.abc import Collection, Mapping

from django.db.models import Max
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.models import Event, Round, Stage
from tournament.pure.sentences import Sentence, stored_sentence

# (stage number, round number within the stage), as stored in the public history.
RoundKey = tuple[int, int]


DRAW_LABELS = {
    "": gettext_lazy("Draw seats for round {number}"),
    Round.Name.QUARTER: gettext_lazy("Draw seats for the quarter-final"),
    Round.Name.SEMI: gettext_lazy("Draw seats for the semi-final"),
}


def draw_text(round_: Round) -> str:
    """Return the label of the button that draws this round."""
    if round_.is_final:
        return _("Draw seats for the final")
    return str(DRAW_LABELS[round_.name]).format(number=round_.ordinal)


# Names by the number of rounds that follow.
NAMES = {1: Round.Name.SEMI, 2: Round.Name.QUARTER}


def make_round(stage: Stage, ordinal: int, after: int, used: Collection[str]) -> Round:
    """Return an unsaved round. `after` is the number of rounds that will follow it.

    The round gets a name such as “semi-final” unless the name is in `used`.
    """
    name = NAMES.get(after, "")
    unused_name = "" if name in used else name
    return Round(stage=stage, ordinal=ordinal, name=unused_name, is_final=not after)


def name_round(round_: Round) -> Sentence:
    """Return the round's name as a sentence that can be stored."""
    return round_title(round_.ordinal, round_.name, round_.is_final)


@stored_sentence("round_title")
def round_title(ordinal: int, name: str, final: bool) -> str:
    """Return a round's title for use within a sentence."""
    return Round(ordinal=ordinal, name=name, is_final=final).title


def next_ordinal(event: Event) -> int:
    """Return the number of the next round to be drawn in the event, from 1."""
    rounds = Round.objects.filter(stage__event=event)
    return (rounds.aggregate(last=Max("ordinal"))["last"] or 0) + 1


def round_names(event: Event) -> dict[RoundKey, str]:
    """Return the titles of all rounds of the event, by round key."""
    rounds = Round.objects.filter(stage__event=event).select_related("stage")
    return {(round_.stage.number, round_.number): round_.title for round_ in rounds}


def name_of(key: RoundKey, names: Mapping[RoundKey, str], stage: str) -> str:
    """Return the title of a round.

    If the round no longer exists, return the stage's name and the round's number.
    """
    text = _("{stage}, Round {number}")
    return names.get(key) or text.format(stage=stage, number=key[1])
