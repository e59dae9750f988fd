"""SVG sprite with every card face of every deck, static/img/cards.svg.

`python manage.py draw_cards` writes the file, and a test checks that it equals `sprite()`. Pages
and scripts show a card with `<use href="…/cards.svg#R5">`, and the shape of a colour with `#s-R`.
All artwork was made for this project. A card measures 60 by 90 units. Digits are drawn as strokes,
so no font is needed. Fills refer to variables in tokens.css, which apply inside a `use` element as
well.
"""

from collections.abc import Iterable, Iterator

from games.art.faces import (
    action,
    blank,
    boo_blue,
    dead_red,
    eight,
    number,
    shield,
    wild,
    wild_draw_four,
    x_ray,
)
from games.art.playing import back, draw_playing_card, joker
from games.art.strokes import FILLS, SHAPES, SUITS, card, fill
from games.rules.deck.cards import BLANK_CARD, Card, Deck
from games.rules.deck.decks import DECKS


def shapes() -> Iterator[str]:
    """Yield an SVG symbol for each colour and suit, for use in lists, logs and buttons.

    The symbols are filled with `currentColor`.
    """
    for name, d in [*SHAPES.items(), *SUITS.items()]:
        yield f'<symbol id="s-{name}" viewBox="-25 -25 50 50">{fill(d, "currentColor")}</symbol>'


OWN = {
    "W": wild,
    "W8": eight,
    "W+4": wild_draw_four,
    "BLANK": blank,
    "SH": shield,
    "XR": x_ray,
    "DR": lambda: card("DR", FILLS["R"], *dead_red()),
    "BB": lambda: card("BB", FILLS["B"], *boo_blue()),
    "JK": joker,
}


def draw_card(card: Card, color: str) -> str:
    """Draw a card.

    A card that has no picture of its own shows its face, together with its colour or suit.
    """
    if card.art in OWN:
        return OWN[card.art]()
    if color in SUITS:
        return draw_playing_card(card.face, color)
    return number(color, card.face) if card.face.isdigit() else action(color, card.face)


def faces(decks: Iterable[Deck]) -> Iterator[str]:
    """Yield every card face of these decks once, followed by the blank card and the back."""
    drawn: dict[str, str] = {}
    for deck in decks:
        for each in deck.cards:
            if each is not BLANK_CARD and each.art not in drawn:
                drawn[each.art] = draw_card(each, deck.color_letter(each.color))
    yield from drawn.values()
    yield blank()
    yield back()


def sprite(decks: Iterable[Deck] | None = None) -> str:
    """Return the sprite with all pictures of these decks, or of all decks by default."""
    body = "\n".join([*shapes(), *faces(DECKS.values() if decks is None else decks)])
    return f'<svg xmlns="http://www.w3.org/2000/svg">\n{body}\n</svg>\n'
