"""Tests that all verifiers agree on keys and signatures at the edges of the standards."""

from collections import Counter

from games.play import devices
from games.rules.fair.signatures import DeviceSignature
from games.rules.untrusted_json import InvalidJsonError
from tests.rules.fair_edge_signatures import FILE, TEXT, Case, format_cases, list_cases
from tests.rules.verifying import MATCH_SCRIPT, load_module


def parse_signature(case: Case) -> DeviceSignature | None:
    """Return the signature of a case, or None if it is malformed."""
    try:
        return DeviceSignature.from_json({"key": case.key, "signature": case.signature})
    except InvalidJsonError:
        return None


def is_valid_on_server(case: Case) -> bool:
    signed = parse_signature(case)
    return signed is not None and devices.is_valid_signature(signed, TEXT)


def is_valid_in_records(case: Case) -> bool:
    signed = parse_signature(case)
    return signed is not None and signed.verifies(TEXT)


SCRIPT = load_module(MATCH_SCRIPT)


def is_valid_by_script(case: Case) -> bool:
    return bool(SCRIPT.signed(SCRIPT.unhex(case.key), TEXT, SCRIPT.unhex(case.signature)))


def test_server_records_and_script_agree_on_every_case() -> None:
    for case in list_cases():
        answers = is_valid_on_server(case), is_valid_in_records(case), is_valid_by_script(case)
        assert (case.name, *answers) == (case.name, *[case.fits] * 3)


def test_few_cases_of_each_kind_of_key_are_valid() -> None:
    kinds = Counter(case.name.split(":")[0] for case in list_cases())
    assert kinds.keys() == {"Ed25519", "P-256"}
    assert [case.name for case in list_cases() if case.fits] == [
        "Ed25519: as it should be",
        "P-256: as it should be, low S",
        "P-256: as it should be, high S: the standard bounds it no further",
    ]


def test_file_for_browsers_has_the_same_cases() -> None:
    assert FILE.read_text() == format_cases(), "run python -m tests.rules.fair_edge_signatures"
