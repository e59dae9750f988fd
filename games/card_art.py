"""Draws every card face of every deck as one SVG sprite, static/img/cards.svg.

`python manage.py draw_cards` writes the file; a test holds it equal to `sprite()`. Pages and
scripts show a card with `<use href="…/cards.svg#R5">` and a colour's shape with `#s-R`.
All art is our own. A card is 60 by 90 units; digits are strokes, so that no font is needed.
Fills name the variables of tokens.css, which reach into a `use`.
"""

from collections.abc import Iterable, Iterator
from math import cos, pi, sin

from games.rules.cards import BLANK_CARD, Card, Deck
from games.rules.decks import DECKS

INK, PAPER = "var(--card-black)", "var(--card-paper)"
FILLS = {
    "R": "var(--card-red)",
    "Y": "var(--card-yellow)",
    "G": "var(--card-green)",
    "B": "var(--card-blue)",
}
# A colour's shape: flame, sun, leaf, wave. The box is -24 to 24 in both directions.
SHAPES = {
    "R": (
        "M3-24C4-13 20-9 20 8 20 18 11 24 0 24-11 24-20 17-20"
        " 7-20-1-15-6-13-13-10-8-9-7-5-5-6-12-4-19 3-24Z"
    ),
    "G": "M-24 24C-21 20-20 18-20 14-27-9-12-25 23-23 26 9 10 26-13 20-17 20-20 21-24 24Z",
    "B": "M-24 20C-23-5-11-22 7-22 17-22 24-16 24-8 20-12 14-12 11-7 7 0 13 13 24 20Z",
}
SUITS = {
    "S": (
        "M0-20C4-12 18-4 18 7 18 15 8 17 3 11 3 15 5 18 8"
        " 20H-8C-5 18-3 15-3 11-8 17-18 15-18 7-18-4-4-12 0-20Z"
    ),
    "H": "M0 20C-4 12-19 4-19-8-19-18-6-21 0-11 6-21 19-18 19-8 19 4 4 12 0 20Z",
    "D": "M0-21C4-13 9-6 16 0 9 6 4 13 0 21-4 13-9 6-16 0-9-6-4-13 0-21Z",
    "C": (
        "M0-20A9 9 0 0 1 7-5 9 9 0 1 1 3 10C3 15 5 18 8"
        " 20H-8C-5 18-3 15-3 10A9 9 0 1 1-7-5 9 9 0 0 1 0-20Z"
    ),
}
SUIT_FILLS = {"S": INK, "C": INK, "H": FILLS["R"], "D": FILLS["R"]}
# Strokes of one character each, in a box of -9 to 9 by -14 to 14.
GLYPHS = {
    "0": "M0-14C6-14 9-8 9 0S6 14 0 14-9 8-9 0-6-14 0-14Z",
    "1": "M-6-8 2-14V14",
    "2": "M-8-7C-8-12-4-14 0-14 5-14 8-11 8-7 8-1-1 5-8 14H9",
    "3": "M-8-14H8L-1-3C5-3 9 0 9 5 9 11 5 14 0 14-4 14-8 12-9 8",
    "4": "M4 14V-14L-10 6H10",
    "5": "M7-14H-6L-7-2C-5-4-2-5 0-5 5-5 9-1 9 4 9 10 5 14 0 14-4 14-7 12-9 9",
    "6": "M5-14C-3-11-9-4-9 5-9 10-5 14 0 14S9 10 9 5 5-4 0-4-9-1-9 5",
    "7": "M-9-14H9C4-6-1 4-2 14",
    "8": (
        "M0-1C-5-1-7-4-7-8-7-11-4-14 0-14S7-11 7-8C7-4 5-1"
        " 0-1-6-1-9 2-9 6-9 11-5 14 0 14S9 11 9 6C9 2 6-1 0-1Z"
    ),
    "9": "M-5 14C3 11 9 4 9-5 9-10 5-14 0-14S-9-10-9-5-5 4 0 4 9 1 9-5",
    "+": "M-7 0H7M0-7V7",
    "A": "M-9 14 0-14 9 14M-6 5H6",
    "J": "M6-14V6C6 11 3 14-1 14-5 14-8 11-8 7",
    "Q": "M0-14C6-14 9-8 9 0S6 14 0 14-9 8-9 0-6-14 0-14ZM2 6 10 15",
    "K": "M-7-14V14M8-14-7 3M-2-2 9 14",
    "S": "M8-10C6-13 3-14 0-14-5-14-8-11-8-7-8 2 9-2 9 7 9 11 5 14 0 14-4 14-8 12-9 9",
    "!": "M0-14V4M0 13V14",
}
SKIP = "M0-15A15 15 0 1 0 0 15 15 15 0 1 0 0-15ZM-10.5 10.5 10.5-10.5"
REVERSE = "M-7 15V-10M-14-3-7-11 0-3M7-15V10M0 3 7 11 14 3"
SHIELD = "M0-22C6-18 13-16 19-16 20 4 13 17 0 24-13 17-20 4-19-16-13-16-6-18 0-22Z"
GHOST = "M-17 22V-4C-17-15-9-22 0-22S17-15 17-4V22L11 16 6 22 0 16-6 22-11 16Z"
SKULL = "M-9 20V13C-15 10-18 4-18-3-18-14-10-21 0-21S18-14 18-3C18 4 15 10 9 13V20Z"


def sun(points: int = 12, outer: float = 24, inner: float = 18.5) -> str:
    """A star of so many rays, drawn between two circles."""
    corners = [
        (r * sin(i * pi / points), -r * cos(i * pi / points))
        for i in range(2 * points)
        for r in [inner if i % 2 else outer]
    ]
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in corners) + "Z"


SHAPES["Y"] = sun()


def dot(x: float, y: float, r: float, color: str, edge: str) -> str:
    ends = f'stroke="{edge}" stroke-width="1.4"'
    return f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}" fill="{color}" {ends}/>'


def fill(d: str, color: str, x: float = 0, y: float = 0, scale: float = 1, more: str = "") -> str:
    place = (
        f' transform="translate({x:g} {y:g}) scale({scale:g})"'
        if (x, y, scale) != (0, 0, 1)
        else ""
    )
    return f'<path d="{d}" fill="{color}"{place}{more}/>'


def line(
    d: str, color: str, width: float, x: float = 0, y: float = 0, scale: float = 1, more: str = ""
) -> str:
    """A stroke whose width is given in card units, whatever the scale."""
    move = f' transform="translate({x:g} {y:g}) scale({scale:g})"'
    round_ = ' stroke-linecap="round" stroke-linejoin="round"'
    width_ = f' stroke-width="{width / scale:.3g}"'
    return f'<path d="{d}" fill="none" stroke="{color}"{width_}{round_}{move}{more}/>'


def text(chars: str, color: str, width: float, x: float, y: float, scale: float) -> str:
    """Characters side by side, centred on (x, y); two are set narrower so that they fit."""
    if len(chars) == 1:
        return line(GLYPHS[chars], color, width, x, y, scale)
    step = (19 if "+" in chars else 18) * scale
    first = x - step * (len(chars) - 1) / 2
    return "".join(
        line(GLYPHS[char], color, width, first + i * step, y, scale * (0.82 if char == "+" else 1))
        for i, char in enumerate(chars)
    )


def card(name: str, field: str, *parts: str) -> str:
    edge = f'<rect x=".5" y=".5" width="59" height="89" rx="6.5" fill="{PAPER}" stroke="{INK}"/>'
    inner = f'<rect x="3.5" y="3.5" width="53" height="83" rx="4" fill="{field}"/>'
    return f'<symbol id="{name}" viewBox="0 0 60 90">{edge}{inner}{"".join(parts)}</symbol>'


def badge(d: str, x: float = 30, y: float = 46, scale: float = 1) -> str:
    """A paper shape with an ink outline: it stands out on every field, yellow too."""
    outline = f' stroke="{INK}" stroke-width="{2 / scale:.2g}" stroke-linejoin="round"'
    return fill(d, PAPER, x, y, scale, outline)


def corners(chars: str, color: str) -> str:
    width = 9 if len(chars) == 2 else 0
    return text(chars, color, 2.6, 11 + width / 3, 14, 0.42) + text(
        chars, color, 2.6, 49 - width / 3, 77, 0.42
    )


def corner_line(d: str, color: str) -> str:
    return line(d, color, 2.2, 12, 14, 0.38) + line(d, color, 2.2, 48, 77, 0.38)


def ink_on(color: str) -> str:
    """Paper on the dark colours, ink on yellow: 4.5:1 or better on each."""
    return INK if color == "Y" else PAPER


# The middle of each badge, where its number sits best.
MIDDLES = {"R": (0, 5), "Y": (0, 0), "G": (0, 0), "B": (-4, 4)}


def number(color: str, digit: str) -> str:
    dx, dy = MIDDLES[color]
    bar = line("M-6 0H6", INK, 2.6, 30 + dx, 46 + dy + 14.5) if digit in "69" else ""
    return card(
        color + digit,
        FILLS[color],
        badge(SHAPES[color], 30, 46, 1.05),
        text(digit, INK, 4.6, 30 + dx, 46 + dy, 0.72),
        bar,
        corners(digit, ink_on(color)),
    )


SIGNS = {"S": SKIP, "R": REVERSE}


def action(color: str, face: str) -> str:
    """A card with a sign on it, or with its face in characters where it has no sign."""
    dx, dy = MIDDLES[color]
    x, y, ink = 30 + dx, 46 + dy, ink_on(color)
    if face in SIGNS:
        drawing = [line(SIGNS[face], INK, 4, x, y, 0.73), corner_line(SIGNS[face], ink)]
    else:
        drawing = [text(face, INK, 4.2, x, y, 0.66), corners(face, ink)]
    return card(color + face, FILLS[color], badge(SHAPES[color], 30, 46, 1.05), *drawing)


def four_shapes(x: float, y: float, spread: float, scale: float, down: float = 0) -> str:
    places = {"R": (-1, -1), "Y": (1, -1), "B": (-1, 1), "G": (1, 1)}
    edge = f' stroke="{PAPER}" stroke-width="{1.4 / scale:.3g}" stroke-linejoin="round"'
    return "".join(
        fill(SHAPES[c], FILLS[c], x + sx * spread, y + sy * (down or spread), scale, edge)
        for c, (sx, sy) in places.items()
    )


def in_corners() -> str:
    return four_shapes(30, 45, 16.5, 0.36, down=30)


def disc(chars: str, width: float, scale: float) -> str:
    return f'<circle cx="30" cy="45" r="18" fill="{PAPER}"/>' + text(
        chars, INK, width, 30, 45, scale
    )


def wild() -> str:
    return card("W", INK, four_shapes(30, 45, 12.8, 0.5))


def eight() -> str:
    return card("W8", INK, in_corners(), disc("8", 5.4, 0.86))


def wild_draw_four() -> str:
    return card("W+4", INK, in_corners(), disc("+4", 4.6, 0.7))


def blank() -> str:
    return card(
        "BLANK",
        PAPER,
        f'<rect x="7" y="7" width="46" height="76" rx="4" fill="none" stroke="{INK}"'
        ' stroke-width="1.4" stroke-dasharray="4 3"/>',
        line("M-9 4 7-12 12-7-4 9-11 11Z", INK, 2.4, 30, 46, 1.1),
    )


def shield() -> str:
    tick = line("M-9 0-2 8 10-8", INK, 4, 30, 44)
    return card("SH", INK, in_corners(), badge(SHIELD, 30, 45, 0.92), tick)


def x_ray() -> str:
    eye = "M-23 0C-14-15 14-15 23 0 14 15-14 15-23 0Z"
    pupil = (
        f'<circle cx="30" cy="45" r="7.5" fill="{INK}"/>'
        f'<circle cx="32.5" cy="42.5" r="2.3" fill="{PAPER}"/>'
    )
    return card("XR", INK, in_corners(), badge(eye, 30, 45, 1), pupil)


def dead_red() -> Iterator[str]:
    yield badge(SKULL, 30, 47, 1)
    for x in (23, 37):
        yield line("M-3-3 3 3M3-3-3 3", INK, 2.6, x, 45)
    yield line("M-3 0V4M3 0V4M0-8 0-7", INK, 2.2, 30, 60)
    yield fill(SHAPES["R"], PAPER, 12, 14, 0.26)
    yield fill(SHAPES["R"], PAPER, 48, 76, 0.26)


def boo_blue() -> Iterator[str]:
    yield badge(GHOST, 30, 47, 1)
    for x, y in ((24, 42), (36, 42), (30, 52)):
        yield f'<ellipse cx="{x}" cy="{y}" rx="3" ry="4" fill="{INK}"/>'
    yield fill(SHAPES["B"], PAPER, 12, 14, 0.26)
    yield fill(SHAPES["B"], PAPER, 48, 76, 0.26)


# Pips of a number card as (column -1, 0 or 1, row from -1 to 1).
PIPS: dict[str, list[tuple[int, float]]] = {
    "2": [(0, -1), (0, 1)],
    "3": [(0, -1), (0, 0), (0, 1)],
    "4": [(-1, -1), (1, -1), (-1, 1), (1, 1)],
    "5": [(-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)],
    "6": [(-1, -1), (1, -1), (-1, 0), (1, 0), (-1, 1), (1, 1)],
    "7": [(-1, -1), (1, -1), (0, -0.5), (-1, 0), (1, 0), (-1, 1), (1, 1)],
    "8": [(-1, -1), (1, -1), (0, -0.5), (-1, 0), (1, 0), (0, 0.5), (-1, 1), (1, 1)],
    "9": [(s, y) for s in (-1, 1) for y in (-1, -0.33, 0.33, 1)] + [(0, 0)],
    "10": [(s, y) for s in (-1, 1) for y in (-1, -0.33, 0.33, 1)] + [(0, -0.67), (0, 0.67)],
}


def index(rank: str, suit: str) -> str:
    """Rank above suit in the corner, large enough to read at 44 px."""
    color = SUIT_FILLS[suit]
    narrow = rank == "10"
    return text(rank, color, 3.4, 14.5 if narrow else 12.5, 16, 0.5 if narrow else 0.6) + fill(
        SUITS[suit], color, 12.5, 34, 0.3
    )


def playing(rank: str, suit: str) -> str:
    body = (
        court(rank, suit)
        if rank in "JQK"
        else fill(SUITS[suit], SUIT_FILLS[suit], 35, 54, 0.95)
        if rank == "A"
        else "".join(
            fill(SUITS[suit], SUIT_FILLS[suit], 42 + x * 9.5, 47 + y * 31, 0.23)
            for x, y in PIPS[rank]
        )
    )
    return card(rank + suit, PAPER, body, index(rank, suit))


# Headgear, hair and beard of the three court figures around a head at (0, 0) of radius 9.
COURT = {
    "J": ("M-11-5C-9-15 9-15 11-5 5-8-5-8-11-5Z", "M7-12C10-20 16-22 17-17 17-12 11-11 7-12Z", ""),
    "Q": (
        "M-10-6-13-17-5-12 0-19 5-12 13-17 10-6C4-8-4-8-10-6Z",
        "M-10-5C-16 4-14 13-11 14L-8 3ZM10-5C16 4 14 13 11 14L8 3Z",
        "",
    ),
    "K": (
        "M-11-5V-18L-6-12 0-19 6-12 11-18V-5C5-7-5-7-11-5Z",
        "",
        "M-8 3C-7 15 7 15 8 3 4 6-4 6-8 3Z",
    ),
}


def court(rank: str, suit: str) -> str:
    color = SUIT_FILLS[suit]
    hat, side, beard = COURT[rank]
    edge = f' stroke="{INK}" stroke-width="1.4" stroke-linejoin="round"'
    x, y = 35, 45
    return "".join(
        [
            fill(side, FILLS["Y"], x, y, 1, edge) if rank == "Q" else "",
            fill("M-19 38C-19 20-12 12 0 12S19 20 19 38Z", color, x, y, 1, edge),
            fill("M-5 11 0 19 5 11Z", FILLS["Y"], x, y, 1, edge),
            dot(x, y + 2, 9.5, PAPER, INK),
            fill(beard, FILLS["Y"], x, y, 1, edge) if beard else "",
            fill(hat, color if rank == "J" else FILLS["Y"], x, y, 1, edge),
            fill(side, FILLS["Y"], x, y, 1, edge) if rank == "J" else "",
            line("M-4 1V2M4 1V2M-2 7H2", INK, 1.8, x, y),
            fill(SUITS[suit], PAPER, x, y + 28.5, 0.3),
        ]
    )


def joker() -> str:
    edge = f' stroke="{INK}" stroke-width="1.4" stroke-linejoin="round"'
    bells = "".join(dot(x, y, 3, FILLS["Y"], INK) for x, y in ((9, 44), (30, 17), (51, 44)))
    return card(
        "JK",
        PAPER,
        fill("M-10 0C-12-9-16-11-21-6-20-18-10-20-3-13L-1 0Z", FILLS["R"], 30, 48, 1, edge),
        fill("M10 0C12-9 16-11 21-6 20-18 10-20 3-13L1 0Z", FILLS["G"], 30, 48, 1, edge),
        fill("M-8 0C-9-10-4-18 0-29 4-18 9-10 8 0Z", FILLS["B"], 30, 48, 1, edge),
        dot(30, 55, 11, PAPER, INK),
        fill("M-12 0C-5-4 5-4 12 0L11 4C5 1-5 1-11 4Z", FILLS["Y"], 30, 48, 1, edge),
        line("M-4-1V0M4-1V0M-5 5C-3 8 3 8 5 5", INK, 1.8, 30, 56),
        bells,
        fill(sun(5, 24, 10), INK, 12.5, 13.5, 0.28),
        fill(sun(5, 24, 10), INK, 47.5, 77, 0.28),
    )


def back() -> str:
    lattice = "".join(
        f"M{x} {y}l4 6-4 6-4-6Z"
        for row, y in enumerate(range(9, 75, 12))
        for x in range(12 + row % 2 * 6, 50, 12)
    )
    return card(
        "back",
        "var(--card-back)",
        f'<rect x="6.5" y="6.5" width="47" height="77" rx="3" fill="none" stroke="{PAPER}"'
        ' opacity=".55"/>',
        f'<path d="{lattice}" fill="{PAPER}" opacity=".13"/>',
        dot(30, 45, 15.5, "var(--card-back)", PAPER),
        four_shapes(30, 45, 5.6, 0.2),
    )


def shapes() -> Iterator[str]:
    """The colours' and suits' own shapes, for lists, logs and buttons; filled by `currentColor`."""
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


def drawing(one: Card, color: str) -> str:
    """A card's picture: one of its own, else its face on its colour or with its suit."""
    if one.art in OWN:
        return OWN[one.art]()
    if color in SUITS:
        return playing(one.face, color)
    return number(color, one.face) if one.face.isdigit() else action(color, one.face)


def faces(decks: Iterable[Deck]) -> Iterator[str]:
    """Every picture of these decks once, and the back."""
    drawn: dict[str, str] = {}
    for deck in decks:
        for one in deck.cards:
            if one is not BLANK_CARD and one.art not in drawn:
                drawn[one.art] = drawing(one, deck.color_letter(one.color))
    yield from drawn.values()
    yield blank()
    yield back()


def sprite(decks: Iterable[Deck] | None = None) -> str:
    """All pictures of these decks, or of all decks that there are."""
    body = "\n".join([*shapes(), *faces(DECKS.values() if decks is None else decks)])
    return f'<svg xmlns="http://www.w3.org/2000/svg">\n{body}\n</svg>\n'
