"""Fixed examples of the parts of a fair deal, for implementations in other languages.

``python -m tests.rules.fair_vectors`` writes them to tests/js/fair_vectors.json. A test compares
the file with these examples.
"""

import json
from itertools import islice
from pathlib import Path

from games.rules.fair.attempts import FairDeal
from games.rules.fair.deal import (
    NO_BOT,
    NO_FAILED,
    NO_NONE,
    DealIngredients,
    DealKey,
    FairChance,
    NumberStream,
    deck_of,
    secret_commitment,
    share_commitment,
)
from games.rules.ruleset import rulesets
from tests.rules.fair_deals import (
    make_deal_with_shares,
    make_drawn_dealer_record,
    make_fixed_bytes,
    make_opened_attempt,
    make_third_attempt_record,
    play_fair_hand,
)

FILE = Path(__file__).resolve().parents[1] / "js" / "fair_vectors.json"

DRAWS = [
    DealKey("m", 1, 1),
    DealKey("xK3-9_aa", 12, 3),
    DealKey("an Ümlaut, a 🃏 and a\nnew line", 2**31, 10),
]
ENTRIES: list[dict[int, str | None]] = [
    {0: None, 1: None},
    {0: None, 2: NO_BOT, 3: NO_NONE, 7: NO_FAILED, 9: None},
    {1: NO_BOT, 2: NO_BOT},
]
# Words, a bound and the resulting number, around the limits of rejection.
REJECTED_WORDS = [
    ([2**32 - 1, 2**32 - 4, 2**32 - 5], 7, (2**32 - 5) % 7),
    ([2**32 - 1], 2**31, 2**31 - 1),
    ([2**32 - 1, 2**32 - 2, 5], 2**32 - 2, 5),
    ([2**32 - 1], 2**32, 2**32 - 1),
    ([2**32 - 1, 0], 3, 0),
    ([2**32 - 2], 3, 2),
    ([], 1, 0),
]


def make_vectors() -> dict[str, object]:
    """Return all examples in a form that can be written as JSON."""
    deals = [
        make_opened_attempt(draw, entries, dealer=dealer)
        for draw, entries, dealer in zip(DRAWS, ENTRIES, (None, 7, 1), strict=True)
    ]
    return {
        "commitments": [_make_commitments_example(draw) for draw in DRAWS],
        "lists": [
            {"list": deal.list.to_json(), "digest": deal.list.digest().hex()} for deal in deals
        ],
        "streams": [
            _make_stream_example(deal, purpose)
            for deal in deals
            for purpose in ("deal", "choice 10")
        ],
        "rejected": [{"words": w, "below": n, "number": got} for w, n, got in REJECTED_WORDS],
        "shuffles": [_make_shuffle_example(deals[1], n) for n in (0, 1, 2, 3, 7)],
        "choices": _make_choices_example(deals[1]),
        "decks": [_make_deck_example(key) for key in DEALT_RULES],
        "dealers": [
            _make_dealer_example(key, seats)
            for key in ("uno-500", "ocho")
            for seats in (2, 3, 4, 10)
        ],
        "records": [
            make_third_attempt_record(),
            make_drawn_dealer_record("uno-500"),
            play_fair_hand(
                "crazy-eights", FairDeal(make_opened_attempt(DRAWS[0], ENTRIES[2], rs=EIGHTS))
            ),
        ],
    }


DEALT_RULES = ["ocho", "uno-500", "ocho-cards", "uno-400", "uno-assignment", "crazy-eights"]
OCHO, EIGHTS = rulesets.RULE_SETS["ocho"], rulesets.RULE_SETS["crazy-eights"]


def _make_commitments_example(draw: DealKey) -> dict[str, object]:
    secret, share = make_fixed_bytes(96, draw), make_fixed_bytes(32, draw, 4)
    return {
        "match": draw.match,
        "hand": draw.hand,
        "attempt": draw.attempt,
        "secret": secret.hex(),
        "server": secret_commitment(draw, secret),
        "seat": 4,
        "share": share.hex(),
        "commitment": share_commitment(draw, 4, share),
    }


def _make_stream_example(deal: DealIngredients, purpose: str) -> dict[str, object]:
    stream, below = deal.stream(purpose), deal.stream(purpose)
    bounds = [2, 108, 1, 1000, 3_000_000_000, 2**32, 6]
    return {
        **deal.to_json(),
        "purpose": purpose,
        "words": [stream.draw_below(2**32) for _ in range(40)],
        "bounds": bounds,
        "below": [below.draw_below(n) for n in bounds],
    }


def _make_shuffle_example(deal: DealIngredients, size: int) -> dict[str, object]:
    items = [f"C{n}" for n in range(size)]
    return {
        **deal.to_json(),
        "purpose": f"reshuffle {size + 1}",
        "items": items,
        "order": deal.stream(f"reshuffle {size + 1}").shuffle(items),
    }


def _make_choices_example(deal: DealIngredients) -> dict[str, object]:
    chance, bounds = FairChance(deal, OCHO.cards()), [1, 7, 7, 1, 30, 2]
    return {**deal.to_json(), "bounds": bounds, "choices": [chance.choice(n) for n in bounds]}


def _make_deck_example(key: str) -> dict[str, object]:
    rs = rulesets.RULE_SETS[key]
    deal = make_deal_with_shares(rs, [0, 1, 2], 1).dealt
    return {"ruleset": key, **deal.to_json(), "order": deck_of(deal, rs)}


def _make_dealer_example(key: str, seats: int) -> dict[str, object]:
    rs = rulesets.RULE_SETS[key]
    deal = make_deal_with_shares(rs, range(seats), None, seats)
    return {**deal.to_json(), "points": deal.points(rs), "dealer": deal.dealer(rs)}


def format_vectors() -> str:
    """Return the content of the file, with one example per line for readable diffs."""
    parts = [
        f"{json.dumps(name)}: [\n" + ",\n".join(json.dumps(each) for each in examples) + "\n]"
        if isinstance(examples, list)
        else f"{json.dumps(name)}: {json.dumps(examples)}"
        for name, examples in make_vectors().items()
    ]
    return "{\n" + ",\n".join(parts) + "\n}\n"


def draw_from_words(words: list[int], n: int) -> int:
    """Return the number below ``n`` drawn from these words, and check that all are used."""
    left = iter(words)
    number = NumberStream(left).draw_below(n)
    assert list(islice(left, 1)) == []
    return number


if __name__ == "__main__":
    FILE.write_text(format_vectors(), encoding="utf-8")
