"""Second-person forms of the sentences in games/rules/words/sentences.py, by third-person form."""

from games.rules.text import gettext_noop

YOU_ARE_CAUGHT = gettext_noop("{by} catches you for not saying UNO")
YOURS = {
    gettext_noop("{seat} plays {card}, chooses {color} and says UNO"): gettext_noop(
        "you play {card}, choose {color} and say UNO"
    ),
    gettext_noop("{seat} plays {card} and says UNO"): gettext_noop("you play {card} and say UNO"),
    gettext_noop("{seat} plays {card} and chooses {color}"): gettext_noop(
        "you play {card} and choose {color}"
    ),
    gettext_noop("{seat} plays {card}"): gettext_noop("you play {card}"),
    gettext_noop("{seat} draws {cards}"): gettext_noop("you draw {cards}"),
    gettext_noop("{seat} draws {cards} because of the starting card"): gettext_noop(
        "you draw {cards} because of the starting card"
    ),
    gettext_noop("{seat} has no red cards and draws {cards}"): gettext_noop(
        "you have no red cards and draw {cards}"
    ),
    gettext_noop("{seat} has the fewest cards and draws {cards}"): gettext_noop(
        "you have the fewest cards and draw {cards}"
    ),
    gettext_noop("{seat} draws {cards} for not saying UNO"): gettext_noop(
        "you draw {cards} for not saying UNO"
    ),
    gettext_noop("{seat} draws {cards} after the challenge"): gettext_noop(
        "you draw {cards} after the challenge"
    ),
    gettext_noop("{seat} still draws {cards}"): gettext_noop("you still draw {cards}"),
    gettext_noop("{seat} draws {cards} for a wrong catch"): gettext_noop(
        "you draw {cards} for a wrong catch"
    ),
    gettext_noop("{seat} has to draw, but there are no cards left"): gettext_noop(
        "you have to draw, but there are no cards left"
    ),
    gettext_noop("{seat}’s Shield cancels a penalty of {cards}"): gettext_noop(
        "your Shield cancels a penalty of {cards}"
    ),
    gettext_noop("{seat}’s Shield sends {cards} back to {of}"): gettext_noop(
        "your Shield sends {cards} back to {of}"
    ),
    gettext_noop("{seat} challenges {of}: it was a bluff"): gettext_noop(
        "you challenge {of}: it was a bluff (hand: {shown})"
    ),
    gettext_noop("{seat} challenges {of}: it wasn’t a bluff"): gettext_noop(
        "you challenge {of}: it wasn’t a bluff"
    ),
    gettext_noop("{winner} goes out and scores {points}"): gettext_noop(
        "you go out and score {points}"
    ),
    gettext_noop("{winner} goes out"): gettext_noop("you go out"),
    gettext_noop("{seat} chooses {color}"): gettext_noop("you choose {color}"),
    gettext_noop("{seat} says “Ocho!”"): gettext_noop("you say “Ocho!”"),
    gettext_noop("{seat} says UNO"): gettext_noop("you say UNO"),
    gettext_noop("{by} catches {seat} for not saying UNO"): gettext_noop(
        "you catch {seat} for not saying UNO"
    ),
    gettext_noop("{by} catches {seat}"): gettext_noop("you catch {seat}"),
    gettext_noop("{seat} wrongly tries to catch {of}"): gettext_noop(
        "you wrongly try to catch {of}"
    ),
    gettext_noop("{seat} passes"): gettext_noop("you pass"),
    gettext_noop("{seat} is skipped"): gettext_noop("you are skipped"),
    gettext_noop("{seat} has {cards} to draw"): gettext_noop("you have {cards} to draw"),
    gettext_noop("{seat} sees one card from each opponent"): gettext_noop("you see {shown}"),
    gettext_noop("{seat} swaps hands with {with}"): gettext_noop("you swap hands with {with}"),
}
