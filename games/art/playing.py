"""Faces of playing cards, and the back shared by all cards."""

from games.art.strokes import (
    FILLS,
    INK,
    PAPER,
    SUIT_FILLS,
    SUITS,
    draw_dot,
    draw_four_shapes,
    draw_frame,
    draw_shape,
    draw_stroke,
    draw_text,
    make_star_path,
)

# Positions of the pips on a number card: column (-1, 0 or 1) and row (-1 to 1).
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


def draw_index(rank: str, suit: str) -> str:
    """Draw the corner index, with the rank above the suit.

    It is legible even on a card 44 px wide.
    """
    color = SUIT_FILLS[suit]
    narrow = rank == "10"
    return draw_text(
        rank, color, 3.4, 14.5 if narrow else 12.5, 16, 0.5 if narrow else 0.6
    ) + draw_shape(SUITS[suit], color, 12.5, 34, 0.3)


def draw_playing_card(rank: str, suit: str) -> str:
    body = (
        draw_court_figure(rank, suit)
        if rank in "JQK"
        else draw_shape(SUITS[suit], SUIT_FILLS[suit], 35, 54, 0.95)
        if rank == "A"
        else "".join(
            draw_shape(SUITS[suit], SUIT_FILLS[suit], 42 + x * 9.5, 47 + y * 31, 0.23)
            for x, y in PIPS[rank]
        )
    )
    return draw_frame(rank + suit, PAPER, body, draw_index(rank, suit))


# Paths of each court card's hat, hair (or feather) and beard, around a head of radius 9 at (0, 0).
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


def draw_court_figure(rank: str, suit: str) -> str:
    color = SUIT_FILLS[suit]
    hat, side, beard = COURT[rank]
    edge = f' stroke="{INK}" stroke-width="1.4" stroke-linejoin="round"'
    x, y = 35, 45
    return "".join(
        [
            draw_shape(side, FILLS["Y"], x, y, 1, edge) if rank == "Q" else "",
            draw_shape("M-19 38C-19 20-12 12 0 12S19 20 19 38Z", color, x, y, 1, edge),
            draw_shape("M-5 11 0 19 5 11Z", FILLS["Y"], x, y, 1, edge),
            draw_dot(x, y + 2, 9.5, PAPER, INK),
            draw_shape(beard, FILLS["Y"], x, y, 1, edge) if beard else "",
            draw_shape(hat, color if rank == "J" else FILLS["Y"], x, y, 1, edge),
            draw_shape(side, FILLS["Y"], x, y, 1, edge) if rank == "J" else "",
            draw_stroke("M-4 1V2M4 1V2M-2 7H2", INK, 1.8, x, y),
            draw_shape(SUITS[suit], PAPER, x, y + 28.5, 0.3),
        ]
    )


def draw_joker() -> str:
    edge = f' stroke="{INK}" stroke-width="1.4" stroke-linejoin="round"'
    bells = "".join(draw_dot(x, y, 3, FILLS["Y"], INK) for x, y in ((9, 44), (30, 17), (51, 44)))
    return draw_frame(
        "JK",
        PAPER,
        draw_shape("M-10 0C-12-9-16-11-21-6-20-18-10-20-3-13L-1 0Z", FILLS["R"], 30, 48, 1, edge),
        draw_shape("M10 0C12-9 16-11 21-6 20-18 10-20 3-13L1 0Z", FILLS["G"], 30, 48, 1, edge),
        draw_shape("M-8 0C-9-10-4-18 0-29 4-18 9-10 8 0Z", FILLS["B"], 30, 48, 1, edge),
        draw_dot(30, 55, 11, PAPER, INK),
        draw_shape("M-12 0C-5-4 5-4 12 0L11 4C5 1-5 1-11 4Z", FILLS["Y"], 30, 48, 1, edge),
        draw_stroke("M-4-1V0M4-1V0M-5 5C-3 8 3 8 5 5", INK, 1.8, 30, 56),
        bells,
        draw_shape(make_star_path(5, 24, 10), INK, 12.5, 13.5, 0.28),
        draw_shape(make_star_path(5, 24, 10), INK, 47.5, 77, 0.28),
    )


def draw_back() -> str:
    lattice = "".join(
        f"M{x} {y}l4 6-4 6-4-6Z"
        for row, y in enumerate(range(9, 75, 12))
        for x in range(12 + row % 2 * 6, 50, 12)
    )
    return draw_frame(
        "back",
        "var(--card-back)",
        f'<rect x="6.5" y="6.5" width="47" height="77" rx="3" fill="none" stroke="{PAPER}"'
        ' opacity=".55"/>',
        f'<path d="{lattice}" fill="{PAPER}" opacity=".13"/>',
        draw_dot(30, 45, 15.5, "var(--card-back)", PAPER),
        draw_four_shapes(30, 45, 5.6, 0.2),
    )
