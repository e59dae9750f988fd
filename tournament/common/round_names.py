"""Names of rounds, for sentences written without the round object."""

from collections.abc import Collection, Mapping

from django.db.models import Max
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.models import Event, Round, Stage
from tournament.pure.sentences import Sentence, stored_sentence

# Stage's number and number in it: as the public history keeps a round.
Key = tuple[int, int]


DRAW = {
    "": gettext_lazy("Draw seats for round {number}"),
    Round.Name.QUARTER: gettext_lazy("Draw seats for the quarter-final"),
    Round.Name.SEMI: gettext_lazy("Draw seats for the semi-final"),
}


def draw_text(coming: Round) -> str:
    """Return the label of the button that draws this round."""
    if coming.is_final:
        return _("Draw seats for the final")
    return str(DRAW[coming.name]).format(number=coming.ordinal)


# By how many rounds come after it.
NAMES = {1: Round.Name.SEMI, 2: Round.Name.QUARTER}


def make_round(stage: Stage, ordinal: int, after: int, used: Collection[str]) -> Round:
    """Return an unsaved round that is followed by `after` more rounds.

    It does not get a name that is already in `used`.
    """
    name = NAMES.get(after, "")
    free = "" if name in used else name
    return Round(stage=stage, ordinal=ordinal, name=free, is_final=not after)


def name_round(round_: Round) -> Sentence:
    """Return the round's name as a sentence to store."""
    return round_title(round_.ordinal, round_.name, round_.is_final)


@stored_sentence("round_title")
def round_title(ordinal: int, name: str, final: bool) -> str:
    """Return the title of a round as a part of a sentence."""
    return Round(ordinal=ordinal, name=name, is_final=final).title


def next_ordinal(event: Event) -> int:
    """Return the number of the next round to be drawn in the event, from 1."""
    rounds = Round.objects.filter(stage__event=event)
    return (rounds.aggregate(last=Max("ordinal"))["last"] or 0) + 1


def round_names(event: Event) -> dict[Key, str]:
    """Return the names of all existing rounds of the event."""
    rounds = Round.objects.filter(stage__event=event).select_related("stage")
    return {(played.stage.number, played.number): played.title for played in rounds}


def name_of(key: Key, names: Mapping[Key, str], stage: str) -> str:
    """Return the name of a round.

    A round that no longer exists is named after its stage, with its number there.
    """
    text = _("{stage}, Round {number}")
    return names.get(key) or text.format(stage=stage, number=key[1])
