"""SVG sprite with the card faces of all decks (static/img/cards.svg).

`python manage.py draw_cards` writes the file, and a test checks that it equals `sprite()`. Pages
and scripts show a card with `<use href="…/cards.svg#R5">`, and the shape of a colour with `#s-R`.
All artwork was made for this project. A card measures 60 by 90 units. Digits are drawn as strokes,
so no font is needed. Fills are CSS variables from tokens.css, because these also apply inside a
`use` element.
"""

from collections.abc import Iterable, Iterator

from games.art.faces import (
    draw_action_card,
    draw_blank,
    draw_boo_blue,
    draw_dead_red,
    draw_eight,
    draw_number_card,
    draw_shield,
    draw_wild,
    draw_wild_draw_four,
    draw_x_ray,
)
from games.art.playing import draw_back, draw_joker, draw_playing_card
from games.art.strokes import FILLS, SHAPES, SUITS, draw_frame, draw_shape
from games.rules.deck.cards import BLANK_CARD, Card, Deck
from games.rules.deck.decks import DECKS


def shapes() -> Iterator[str]:
    """Yield an SVG symbol for each colour and suit, for use in lists, logs and buttons.

    The symbols are filled with `currentColor`.
    """
    for name, d in [*SHAPES.items(), *SUITS.items()]:
        shape = draw_shape(d, "currentColor")
        yield f'<symbol id="s-{name}" viewBox="-25 -25 50 50">{shape}</symbol>'


PICTURES = {
    "W": draw_wild,
    "W8": draw_eight,
    "W+4": draw_wild_draw_four,
    "BLANK": draw_blank,
    "SH": draw_shield,
    "XR": draw_x_ray,
    "DR": lambda: draw_frame("DR", FILLS["R"], *draw_dead_red()),
    "BB": lambda: draw_frame("BB", FILLS["B"], *draw_boo_blue()),
    "JK": draw_joker,
}


def draw_card(card: Card, color: str) -> str:
    """Draw a card.

    Unless the card has its own picture, it shows its face with its colour or suit.
    """
    if card.art in PICTURES:
        return PICTURES[card.art]()
    if color in SUITS:
        return draw_playing_card(card.face, color)
    return (
        draw_number_card(color, card.face)
        if card.face.isdigit()
        else draw_action_card(color, card.face)
    )


def faces(decks: Iterable[Deck]) -> Iterator[str]:
    """Yield every card face of these decks once, followed by the blank card and the back."""
    drawn: dict[str, str] = {}
    for deck in decks:
        for card in deck.cards:
            if card is not BLANK_CARD and card.art not in drawn:
                drawn[card.art] = draw_card(card, deck.color_letter(card.color))
    yield from drawn.values()
    yield draw_blank()
    yield draw_back()


def sprite(decks: Iterable[Deck] | None = None) -> str:
    """Return the sprite with all pictures of these decks, or of all decks by default."""
    body = "\n".join([*shapes(), *faces(DECKS.values() if decks is None else decks)])
    return f'<svg xmlns="http://www.w3.org/2000/svg">\n{body}\n</svg>\n'
