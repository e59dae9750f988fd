"""Faces of coloured cards, and of special cards with their own picture."""

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
    draw_badge,
    draw_corner_strokes,
    draw_corners,
    draw_four_shapes,
    draw_frame,
    draw_shape,
    draw_stroke,
    draw_text,
    text_color_on,
)

# Offset from the centre of each badge to the point where its number looks centred.
BADGE_CENTERS = {"R": (0, 5), "Y": (0, 0), "G": (0, 0), "B": (-4, 4)}


def draw_number_card(color: str, digit: str) -> str:
    dx, dy = BADGE_CENTERS[color]
    bar = draw_stroke("M-6 0H6", INK, 2.6, 30 + dx, 46 + dy + 14.5) if digit in "69" else ""
    return draw_frame(
        color + digit,
        FILLS[color],
        draw_badge(SHAPES[color], 30, 46, 1.05),
        draw_text(digit, INK, 4.6, 30 + dx, 46 + dy, 0.72),
        bar,
        draw_corners(digit, text_color_on(color)),
    )


SYMBOLS = {"S": SKIP, "R": REVERSE}


def draw_action_card(color: str, face: str) -> str:
    """Draw an action card with its symbol, or with its face as text if it has none."""
    dx, dy = BADGE_CENTERS[color]
    x, y, ink = 30 + dx, 46 + dy, text_color_on(color)
    if face in SYMBOLS:
        drawing = [
            draw_stroke(SYMBOLS[face], INK, 4, x, y, 0.73),
            draw_corner_strokes(SYMBOLS[face], ink),
        ]
    else:
        drawing = [draw_text(face, INK, 4.2, x, y, 0.66), draw_corners(face, ink)]
    return draw_frame(color + face, FILLS[color], draw_badge(SHAPES[color], 30, 46, 1.05), *drawing)


def draw_corner_shapes() -> str:
    return draw_four_shapes(30, 45, 16.5, 0.36, offset=30)


def draw_disc(chars: str, width: float, scale: float) -> str:
    return f'<circle cx="30" cy="45" r="18" fill="{PAPER}"/>' + draw_text(
        chars, INK, width, 30, 45, scale
    )


def draw_wild() -> str:
    return draw_frame("W", INK, draw_four_shapes(30, 45, 12.8, 0.5))


def draw_eight() -> str:
    return draw_frame("W8", INK, draw_corner_shapes(), draw_disc("8", 5.4, 0.86))


def draw_wild_draw_four() -> str:
    return draw_frame("W+4", INK, draw_corner_shapes(), draw_disc("+4", 4.6, 0.7))


def draw_blank() -> str:
    return draw_frame(
        "BLANK",
        PAPER,
        f'<rect x="7" y="7" width="46" height="76" rx="4" fill="none" stroke="{INK}"'
        ' stroke-width="1.4" stroke-dasharray="4 3"/>',
        draw_stroke("M-9 4 7-12 12-7-4 9-11 11Z", INK, 2.4, 30, 46, 1.1),
    )


def draw_shield() -> str:
    tick = draw_stroke("M-9 0-2 8 10-8", INK, 4, 30, 44)
    return draw_frame("SH", INK, draw_corner_shapes(), draw_badge(SHIELD, 30, 45, 0.92), tick)


def draw_x_ray() -> str:
    eye = "M-23 0C-14-15 14-15 23 0 14 15-14 15-23 0Z"
    pupil = (
        f'<circle cx="30" cy="45" r="7.5" fill="{INK}"/>'
        f'<circle cx="32.5" cy="42.5" r="2.3" fill="{PAPER}"/>'
    )
    return draw_frame("XR", INK, draw_corner_shapes(), draw_badge(eye, 30, 45, 1), pupil)


def draw_dead_red() -> Iterator[str]:
    yield draw_badge(SKULL, 30, 47, 1)
    for x in (23, 37):
        yield draw_stroke("M-3-3 3 3M3-3-3 3", INK, 2.6, x, 45)
    yield draw_stroke("M-3 0V4M3 0V4M0-8 0-7", INK, 2.2, 30, 60)
    yield draw_shape(SHAPES["R"], PAPER, 12, 14, 0.26)
    yield draw_shape(SHAPES["R"], PAPER, 48, 76, 0.26)


def draw_boo_blue() -> Iterator[str]:
    yield draw_badge(GHOST, 30, 47, 1)
    for x, y in ((24, 42), (36, 42), (30, 52)):
        yield f'<ellipse cx="{x}" cy="{y}" rx="3" ry="4" fill="{INK}"/>'
    yield draw_shape(SHAPES["B"], PAPER, 12, 14, 0.26)
    yield draw_shape(SHAPES["B"], PAPER, 48, 76, 0.26)
