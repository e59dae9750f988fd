"""Faces of coloured cards, and of cards with a picture of their own."""

from collections.abc import Iterator

from games.art.strokes import (
    FILLS,
    GHOST,
    INK,
    PAPER,
    REVERSE,
    SHAPES,
    SHIELD,
    SKIP,
    SKULL,
    badge,
    card,
    corner_line,
    corners,
    fill,
    four_shapes,
    ink_on,
    line,
    text,
)

# Offset from the centre of each badge to the point where its number looks centred.
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
    """Draw an action card with its symbol, or with its face as text if it has none."""
    dx, dy = MIDDLES[color]
    x, y, ink = 30 + dx, 46 + dy, ink_on(color)
    if face in SIGNS:
        drawing = [line(SIGNS[face], INK, 4, x, y, 0.73), corner_line(SIGNS[face], ink)]
    else:
        drawing = [text(face, INK, 4.2, x, y, 0.66), corners(face, ink)]
    return card(color + face, FILLS[color], badge(SHAPES[color], 30, 46, 1.05), *drawing)


def draw_corner_shapes() -> str:
    return four_shapes(30, 45, 16.5, 0.36, offset=30)


def disc(chars: str, width: float, scale: float) -> str:
    return f'<circle cx="30" cy="45" r="18" fill="{PAPER}"/>' + text(
        chars, INK, width, 30, 45, scale
    )


def wild() -> str:
    return card("W", INK, four_shapes(30, 45, 12.8, 0.5))


def eight() -> str:
    return card("W8", INK, draw_corner_shapes(), disc("8", 5.4, 0.86))


def wild_draw_four() -> str:
    return card("W+4", INK, draw_corner_shapes(), disc("+4", 4.6, 0.7))


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
    return card("SH", INK, draw_corner_shapes(), badge(SHIELD, 30, 45, 0.92), tick)


def x_ray() -> str:
    eye = "M-23 0C-14-15 14-15 23 0 14 15-14 15-23 0Z"
    pupil = (
        f'<circle cx="30" cy="45" r="7.5" fill="{INK}"/>'
        f'<circle cx="32.5" cy="42.5" r="2.3" fill="{PAPER}"/>'
    )
    return card("XR", INK, draw_corner_shapes(), badge(eye, 30, 45, 1), pupil)


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
