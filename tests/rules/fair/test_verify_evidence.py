"""Tests of the facts that docs/verify_deal.py proves from a browser's evidence."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from games.rules.fair import receipts
from games.rules.fair.attempts import FairDeal
from games.rules.fair.deal import NO_NONE, DealIngredients, DealKey, ShareList
from tests.rules.fair.test_verify_deal import run_script, write_record
from tests.rules.fair_deals import make_opened_attempt, play_fair_hand
from tests.signing import make_p256_signer

DEAL_KEY = DealKey("table-7", 1, 1)
ATTEMPT_TITLE = "match table-7, hand 1, attempt 1"
ENTRIES: dict[int, str | None] = {0: None, 1: None}
HONEST_ATTEMPT = make_opened_attempt(DEAL_KEY, ENTRIES, dealer=0)
# Seat 0 is missing from this list.
OTHER_LIST = replace(HONEST_ATTEMPT.list, entries=((0, NO_NONE), HONEST_ATTEMPT.list.entries[1]))
SEAT_CAVEAT = " (right only if the seat had changed hands)"
OWN_COMMITMENT = HONEST_ATTEMPT.list.entries[0][1]
OWN_SHARE = HONEST_ATTEMPT.shares[0].hex()
Data = dict[str, Any]


class SigningSite:
    """A site that signs receipts with its own key."""

    def __init__(self) -> None:
        self.sign = make_p256_signer()
        self.key = self.sign(b"").key

    def sign_list(self, agreed: ShareList) -> Data:
        made = self.sign(receipts.list_receipt_text(agreed.draw, agreed.digest().hex()))
        digest = agreed.digest().hex()
        return {"list": agreed.to_json(), "digest": digest, "receipt": made.to_json()}

    def sign_commitment(self, seat: int = 0) -> Data:
        """Return the commitment of seat 0 with a receipt for `seat`."""
        text = receipts.commitment_receipt_text(
            DEAL_KEY, seat, OWN_COMMITMENT, HONEST_ATTEMPT.list.server
        )
        return {
            "type": "commit",
            "hex": OWN_COMMITMENT,
            "answer": "ack",
            "receipt": self.sign(text).to_json(),
        }

    def make_open_message(self) -> Data:
        digest = HONEST_ATTEMPT.list.digest().hex()
        made = self.sign(receipts.share_receipt_text(DEAL_KEY, 0, digest, OWN_SHARE)).to_json()
        return {"type": "open", "hex": digest, "answer": "ack", "receipt": made}


def make_evidence(sent: list[Data], kept: Data | None = None, *, wrong: Data | None = None) -> Data:
    """Return the evidence of seat 0.

    * `sent`: the messages that the seat sent, with their receipts.
    * `kept`: the list that the seat accepted.
    * `wrong`: a list that it complained about.
    """
    complaint = {"code": "left-out", "about": 0, "at": "", "deal": wrong}
    deal = {
        **{
            "match": DEAL_KEY.match,
            "hand": 1,
            "attempt": 1,
            "seat": 0,
            "server": HONEST_ATTEMPT.list.server,
        },
        **(kept or {"list": None, "digest": None, "receipt": None}),
        **{"mine": OWN_COMMITMENT, "share": OWN_SHARE, "sent": sent},
        "complaints": [complaint] if wrong else [],
    }
    return {"format": "lastcard-evidence/4", "match": DEAL_KEY.match, "seat": 0, "deals": [deal]}


def list_proven_facts(folder: Path, *files: object) -> tuple[list[str], int]:
    """Return the facts that the script reports as proven, and its exit status."""
    paths = [write_record(folder, f"{number}.json", data) for number, data in enumerate(files)]
    lines, status = run_script(*paths, folder=folder)
    assert [line for line in lines if "FAIL" in line] == []
    return [line.partition("PROVEN ")[2] for line in lines if "PROVEN" in line], status


def make_record(*attempts: DealIngredients) -> Data:
    return play_fair_hand("ocho", FairDeal(attempts[-1], attempts[:-1]))


def test_two_signatures_prove_that_an_accepted_share_was_left_out(tmp_path: Path) -> None:
    site = SigningSite()
    data = make_evidence([site.sign_commitment()], wrong=site.sign_list(OTHER_LIST))
    expected = (
        f"{ATTEMPT_TITLE}: it accepted seat 0, and then left it out{SEAT_CAVEAT};"
        f" signed by key {site.key}"
    )
    assert list_proven_facts(tmp_path, data) == ([expected], 1)
    lines, _ = run_script(write_record(tmp_path, "it.json", data), folder=tmp_path)
    assert lines[0] == (
        "it.json record 0: ok, evidence of seat 0 in match table-7; it complains of left-out"
    )


def test_honest_deal_proves_nothing(tmp_path: Path) -> None:
    site = SigningSite()
    data = make_evidence(
        [site.sign_commitment(), site.make_open_message()], site.sign_list(HONEST_ATTEMPT.list)
    )
    assert list_proven_facts(tmp_path, data, make_record(HONEST_ATTEMPT)) == ([], 0)


def test_evidence_of_two_players_proves_two_lists_for_one_deal(tmp_path: Path) -> None:
    site = SigningSite()
    files = [make_evidence([], site.sign_list(each)) for each in (HONEST_ATTEMPT.list, OTHER_LIST)]
    expected = f"{ATTEMPT_TITLE}: it closed 2 lists; signed by key {site.key}"
    assert list_proven_facts(tmp_path, *files) == ([expected], 1)


def test_receipts_signed_by_different_keys_prove_nothing(tmp_path: Path) -> None:
    data = make_evidence(
        [SigningSite().sign_commitment()], wrong=SigningSite().sign_list(OTHER_LIST)
    )
    assert list_proven_facts(tmp_path, data) == ([], 0)


def make_record_without_seat() -> Data:
    return make_record(make_opened_attempt(DEAL_KEY, {0: NO_NONE, 1: None}, dealer=0))


def make_record_with_late_share() -> Data:
    first = make_opened_attempt(DEAL_KEY, ENTRIES, dealer=0, unopened=[0])
    return make_record(first, make_opened_attempt(DealKey("table-7", 1, 2), ENTRIES, dealer=0))


@pytest.mark.parametrize(
    ("sent_kind", "shows", "record", "expected"),
    [
        (
            "sign_commitment",
            False,
            make_record_without_seat,
            f"it accepted seat 0, which the record has not{SEAT_CAVEAT}",
        ),
        (
            "sign_commitment",
            True,
            make_record_without_seat,
            "it closed another list than the record has",
        ),
        (
            "make_open_message",
            True,
            make_record_with_late_share,
            "it took the share of seat 0, and called it late",
        ),
    ],
)
def test_contradiction_between_record_and_receipt_is_proven(
    tmp_path: Path, sent_kind: str, shows: bool, record: Callable[[], Data], expected: str
) -> None:
    site = SigningSite()
    data = make_evidence(
        [getattr(site, sent_kind)()], site.sign_list(HONEST_ATTEMPT.list) if shows else None
    )
    line = f"{ATTEMPT_TITLE}: {expected}; signed by key {site.key}"
    assert list_proven_facts(tmp_path, data, record()) == ([line], 1)


def test_acknowledged_attempt_missing_from_every_record_is_proven(tmp_path: Path) -> None:
    """Check that an acknowledged attempt is proven if no record contains it.

    The first attempt was void, and the site conceals the second one.
    """
    site = SigningSite()
    later = replace(HONEST_ATTEMPT.list, draw=replace(DEAL_KEY, attempt=2))
    data = make_evidence([], site.sign_list(later))
    data["deals"][0]["attempt"] = 2
    expected = (
        "match table-7, hand 1, attempt 2: it acknowledged an attempt that the record has not"
    )
    line = f"{expected}; signed by key {site.key}"
    assert list_proven_facts(tmp_path, data, make_record(HONEST_ATTEMPT)) == ([line], 1)


def forge_receipt(data: Data) -> Data:
    """Replace the signature of the first receipt with that of another site."""
    data["deals"][0]["sent"][0]["receipt"]["signature"] = SigningSite().sign(b"").signature
    return data


def use_another_list(data: Data) -> Data:
    data["deals"][0]["list"]["deck"].reverse()
    return data


def use_another_match(data: Data) -> Data:
    data["deals"][0]["match"] = "table-8"
    return data


@pytest.mark.parametrize(
    ("change", "expected"),
    [
        (forge_receipt, f"{ATTEMPT_TITLE}: the receipt of what seat 0 sent is none"),
        (use_another_list, f"{ATTEMPT_TITLE}: the receipt of the list is none"),
        (use_another_match, "match table-8, hand 1, attempt 1: a list of another deal"),
        (lambda data: data | {"deals": 7}, "this is no evidence: TypeError("),
        (
            lambda data: data | {"format": "lastcard-evidence/5"},
            "this is no evidence: ValueError('lastcard-evidence/5 is newer than this script')",
        ),
    ],
)
def test_fabricated_evidence_fails(
    tmp_path: Path, change: Callable[[Data], Data], expected: str
) -> None:
    site = SigningSite()
    data = change(
        make_evidence(
            [site.sign_commitment()],
            site.sign_list(HONEST_ATTEMPT.list),
            wrong=site.sign_list(OTHER_LIST),
        )
    )
    lines, status = run_script(write_record(tmp_path, "it.json", data), folder=tmp_path)
    assert lines[0].startswith(f"it.json record 0: FAIL {expected}")
    assert status == 1


def test_acknowledgement_of_another_seat_is_no_receipt(tmp_path: Path) -> None:
    data = make_evidence([SigningSite().sign_commitment(seat=1)])
    lines, _ = run_script(write_record(tmp_path, "it.json", data), folder=tmp_path)
    assert lines == [
        f"it.json record 0: FAIL {ATTEMPT_TITLE}: the receipt of what seat 0 sent is none"
    ]


@pytest.mark.parametrize("version", [1, 2, 3])
def test_evidence_of_earlier_versions_is_still_accepted(tmp_path: Path, version: int) -> None:
    data = make_evidence([]) | {"format": f"lastcard-evidence/{version}"}
    for key in {1: ("receipt", "sent"), 2: ("receipt",), 3: ()}[version]:
        del data["deals"][0][key]
    lines, status = run_script(write_record(tmp_path, "it.json", data), folder=tmp_path)
    assert (lines, status) == (
        ["it.json record 0: ok, evidence of seat 0 in match table-7"],
        0,
    )
