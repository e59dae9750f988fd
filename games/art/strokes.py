"""Shapes, characters and other parts from which card pictures are built."""

from math import cos, pi, sin

INK, PAPER = "var(--card-black)", "var(--card-paper)"
FILLS = {
    "R": "var(--card-red)",
    "Y": "var(--card-yellow)",
    "G": "var(--card-green)",
    "B": "var(--card-blue)",
}
# Shape of each colour: flame, sun, leaf and wave. Coordinates range from -24 to 24.
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
# Strokes of each character, in a box from -9 to 9 horizontally and -14 to 14 vertically.
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


def make_star_path(points: int = 12, outer: float = 24, inner: float = 18.5) -> str:
    """Return the path of a star with this many points, between an inner and an outer circle."""
    corners = [
        (r * sin(i * pi / points), -r * cos(i * pi / points))
        for i in range(2 * points)
        for r in [inner if i % 2 else outer]
    ]
    return "M" + "L".join(f"{x:.1f} {y:.1f}" for x, y in corners) + "Z"


SHAPES["Y"] = make_star_path()


def draw_dot(x: float, y: float, r: float, color: str, edge: str) -> str:
    outline = f'stroke="{edge}" stroke-width="1.4"'
    return f'<circle cx="{x:g}" cy="{y:g}" r="{r:g}" fill="{color}" {outline}/>'


def draw_shape(
    d: str, color: str, x: float = 0, y: float = 0, scale: float = 1, attributes: str = ""
) -> str:
    transform = (
        f' transform="translate({x:g} {y:g}) scale({scale:g})"'
        if (x, y, scale) != (0, 0, 1)
        else ""
    )
    return f'<path d="{d}" fill="{color}"{transform}{attributes}/>'


def draw_stroke(
    d: str,
    color: str,
    width: float,
    x: float = 0,
    y: float = 0,
    scale: float = 1,
    attributes: str = "",
) -> str:
    """Draw a stroke. `width` is in card units and does not depend on `scale`."""
    transform = f' transform="translate({x:g} {y:g}) scale({scale:g})"'
    round_ = ' stroke-linecap="round" stroke-linejoin="round"'
    width_ = f' stroke-width="{width / scale:.3g}"'
    return f'<path d="{d}" fill="none" stroke="{color}"{width_}{round_}{transform}{attributes}/>'


def draw_text(chars: str, color: str, width: float, x: float, y: float, scale: float) -> str:
    """Draw characters side by side, centred on (x, y).

    Two characters are drawn narrower so that they fit.
    """
    if len(chars) == 1:
        return draw_stroke(GLYPHS[chars], color, width, x, y, scale)
    step = (19 if "+" in chars else 18) * scale
    first = x - step * (len(chars) - 1) / 2
    return "".join(
        draw_stroke(
            GLYPHS[char], color, width, first + i * step, y, scale * (0.82 if char == "+" else 1)
        )
        for i, char in enumerate(chars)
    )


def draw_frame(name: str, field: str, *parts: str) -> str:
    edge = f'<rect x=".5" y=".5" width="59" height="89" rx="6.5" fill="{PAPER}" stroke="{INK}"/>'
    inner = f'<rect x="3.5" y="3.5" width="53" height="83" rx="4" fill="{field}"/>'
    return f'<symbol id="{name}" viewBox="0 0 60 90">{edge}{inner}{"".join(parts)}</symbol>'


def draw_badge(d: str, x: float = 30, y: float = 46, scale: float = 1) -> str:
    """Draw a paper-coloured shape, with an ink outline that is visible on every background."""
    outline = f' stroke="{INK}" stroke-width="{2 / scale:.2g}" stroke-linejoin="round"'
    return draw_shape(d, PAPER, x, y, scale, outline)


def draw_corners(chars: str, color: str) -> str:
    width = 9 if len(chars) == 2 else 0
    return draw_text(chars, color, 2.6, 11 + width / 3, 14, 0.42) + draw_text(
        chars, color, 2.6, 49 - width / 3, 77, 0.42
    )


def draw_corner_strokes(d: str, color: str) -> str:
    return draw_stroke(d, color, 2.2, 12, 14, 0.38) + draw_stroke(d, color, 2.2, 48, 77, 0.38)


def text_color_on(color: str) -> str:
    """Return the text colour with a contrast of at least 4.5:1 on a card of this colour."""
    return INK if color == "Y" else PAPER


def draw_four_shapes(x: float, y: float, spread: float, scale: float, offset: float = 0) -> str:
    places = {"R": (-1, -1), "Y": (1, -1), "B": (-1, 1), "G": (1, 1)}
    edge = f' stroke="{PAPER}" stroke-width="{1.4 / scale:.3g}" stroke-linejoin="round"'
    return "".join(
        draw_shape(SHAPES[c], FILLS[c], x + sx * spread, y + sy * (offset or spread), scale, edge)
        for c, (sx, sy) in places.items()
    )
