"""Tests that the tables of docs/rules-decisions.md match the code."""

import json
import re
from pathlib import Path

from games.rules.hand.refusals import HandCode
from games.rules.ruleset.applicability import applies
from games.rules.ruleset.optionlist import OPTIONS
from games.rules.ruleset.rulesets import RULE_SETS

DOCS = Path(__file__).resolve().parents[2] / "docs"
TEXT = (DOCS / "rules-decisions.md").read_text()


def list_option_rows() -> dict[str, list[str]]:
    table = TEXT.split("## The options")[1].split("\n## ")[0]
    rows = [line.strip("|").split("|") for line in table.splitlines() if line.startswith("| `")]
    return {row[0].strip(" `"): [cell.strip() for cell in row[1:]] for row in rows}


def test_columns_are_in_the_order_of_the_rule_sets() -> None:
    header = next(line for line in TEXT.splitlines() if line.startswith("| option |"))
    assert [cell.strip() for cell in header.strip("|").split("|")][2:] == list(RULE_SETS)


def test_every_option_has_a_row() -> None:
    assert list(list_option_rows()) == list(OPTIONS)


def test_documented_defaults_match_the_rule_sets() -> None:
    for name, (_, *cells) in list_option_rows().items():
        for rs, cell in zip(RULE_SETS.values(), cells, strict=True):
            shown = cell.strip("–* ").strip("`")
            value = rs.options()[name]
            assert shown == (value if isinstance(value, str) else json.dumps(value)), (name, rs.key)


def test_dash_marks_an_option_without_effect() -> None:
    for name, (_, *cells) in list_option_rows().items():
        for rs, cell in zip(RULE_SETS.values(), cells, strict=True):
            # No rule set has partners by default, so this option has no effect in any of them.
            if name != "partner_catches":
                assert cell.startswith("–") is not applies(name, rs), (name, rs.key)


def test_documented_values_match_the_options() -> None:
    for name, (values, *_) in list_option_rows().items():
        if OPTIONS[name].kind == "choice":
            assert re.findall(r"`(.+?)`", values) == list(OPTIONS[name].values)


def test_documented_rule_set_names_match() -> None:
    for rs in RULE_SETS.values():
        assert f"| `{rs.key}` | {rs.source} | {rs.name} |" in TEXT


def test_hand_codes_use_lowercase_words_and_hyphens() -> None:
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", code) for code in HandCode)
