"""Properties of cards, given their notation, for the reference implementation of the rules."""

_ROLES = {
    "W": "wild",
    "W+4": "four",
    "JK": "four",
    "SH": "shield",
    "XR": "x-ray",
    "DR": "dead red",
    "BB": "boo blue",
    "BLANK": "blank",
}
_FACES = {
    "S": "skip",
    "R": "reverse",
    "+2": "two",
    "A": "reverse",
    "2": "two",
    "J": "wild",
    "Q": "wild",
    "K": "wild",
}
_POINTS = {"wild": 50, "four": 50, "shield": 50, "x-ray": 50}
_POINTS |= {"skip": 20, "reverse": 20, "two": 20, "dead red": 20, "boo blue": 20}


def get_color(card: str) -> str:
    """Return the card's colour or suit, or "" if it has none."""
    if card in _ROLES:
        return {"DR": "R", "BB": "B"}.get(card, "")
    return card[0] if card[0] in "RYGB" else card[-1]


def get_face(card: str) -> str:
    """Return the card's face, without the colour or suit."""
    if card in _ROLES:
        return card
    return card[1:] if card[0] in "RYGB" else card[:-1]


def get_role(card: str, deck: str) -> str:
    """Return the card's effect, or "" for a number.

    In the deck one-pack, only eights have an effect.
    """
    if card in _ROLES:
        return _ROLES[card]
    face = get_face(card)
    if deck == "one-pack":
        return "wild" if face == "8" else ""
    suited = card[0] not in "RYGB"
    return _FACES.get(face, "") if suited or not face.isdigit() else ""


def get_points(card: str, blank: int, deck: str) -> int:
    """Return the card's points. ``blank`` is the points of a blank card."""
    role = get_role(card, deck)
    if role == "blank":
        return blank
    if role:
        return _POINTS[role]
    return {"A": 1, "J": 10, "Q": 10, "K": 10}.get(get_face(card)) or int(get_face(card))
