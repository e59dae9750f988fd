"""Tests of the summary of a review, which respects the margins of error."""

import pytest

from games.reviews.figures import Share
from games.reviews.sentence import summarize_luck


def make_share(name: str, luck: float, play: float, error: float = 0.0) -> Share:
    return Share(name, None, 1.0, 1.0, luck, luck, 0.0, play, error)


NO_BEST_PLAYER = "No one’s play was clearly the best."
CASES = {
    "both": (
        [make_share("Asha", -1.0, -0.3), make_share("Emeka", 1.34, -0.04)],
        "Luck was worth +1.3 hands to Emeka, who also played best.",
    ),
    "one each": (
        [make_share("Asha", -1.0, -0.04), make_share("Emeka", 1.34, -0.3)],
        "Luck was worth +1.3 hands to Emeka, but Asha played best.",
    ),
    "played alike": (
        [make_share("Asha", -1.0, -0.1), make_share("Emeka", 1.0, -0.1)],
        f"Luck was worth +1.0 hands to Emeka. {NO_BEST_PLAYER}",
    ),
    "better within the errors of both": (
        [make_share("Asha", -1.0, -0.1, 0.03), make_share("Emeka", 1.0, -0.05, 0.04)],
        f"Luck was worth +1.0 hands to Emeka. {NO_BEST_PLAYER}",
    ),
    "better beyond the errors of both": (
        [make_share("Asha", -1.0, -0.1, 0.03), make_share("Emeka", 1.0, -0.04, 0.04)],
        "Luck was worth +1.0 hands to Emeka, who also played best.",
    ),
    "better than the second, not beyond the error of the third": (
        [
            make_share("Asha", 1.0, 0.0),
            make_share("Ben", 0.0, -0.1),
            make_share("Chen", -1.0, -0.2, 0.3),
        ],
        f"Luck was worth +1.0 hands to Asha. {NO_BEST_PLAYER}",
    ),
    "as lucky as each other": (
        [
            make_share("Asha", 0.52, -0.3),
            make_share("Ben", 0.48, 0.0),
            make_share("Chen", -1.0, -0.3),
        ],
        "Luck was worth +0.5 hands each to Asha and Ben. Ben played best.",
    ),
    "as lucky, and played alike": (
        [make_share("Asha", 0.5, 0.0), make_share("Ben", 0.5, 0.0), make_share("Chen", -1.0, 0.0)],
        f"Luck was worth +0.5 hands each to Asha and Ben. {NO_BEST_PLAYER}",
    ),
    "too little luck to mention": (
        [make_share("Asha", 0.04, -0.3), make_share("Emeka", -0.04, 0.0)],
        "Luck evened out, and Emeka played best.",
    ),
    "luck within its error": (
        [make_share("Asha", 0.2, 0.0, 0.3), make_share("Emeka", -0.2, 0.0)],
        "Luck evened out, and no one’s play was clearly the best.",
    ),
    "a single player": (
        [make_share("Asha", 0.5, 0.0)],
        f"Luck was worth +0.5 hands to Asha. {NO_BEST_PLAYER}",
    ),
    "no players": ([], ""),
}


@pytest.mark.parametrize(("shares", "sentence"), CASES.values(), ids=CASES)
def test_luck_is_summarized_in_one_sentence(shares: list[Share], sentence: str) -> None:
    assert summarize_luck(shares) == sentence


def test_right_to_left_name_does_not_reverse_the_sentence() -> None:
    message = summarize_luck([make_share("ليلى", 0.5, 0.0), make_share("Asha", -0.5, 0.0)])
    assert message.startswith(
        "Luck was worth +0.5 hands to \N{FIRST STRONG ISOLATE}ليلى\N{POP DIRECTIONAL ISOLATE}."
    )
