"""Search for people by parts of their name or roll number."""

from tournament.pure.alphabet import fold_name
from tournament.pure.lists.texts import normalise_roll


def matches_person(typed: str, name: str, roll_number: str = "") -> bool:
    """Return whether each typed word occurs in the person's name or roll number.

    Case, marks on Latin letters and the script of digits are ignored.
    """
    searchable = f"{fold_name(name)} {fold_name(roll_number)}"
    key = normalise_roll(typed)
    if key and key in normalise_roll(roll_number):
        return True
    return all(word in searchable for word in fold_name(typed).split())
