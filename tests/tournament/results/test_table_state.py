"""Tests of the states of a table."""

import re
from pathlib import Path

from django.conf import settings

from tournament.results.table_state import TableState

COMPARED_STATE = re.compile(r"\b(?:table|view|may)\.state [!=]= [\"'](\w+)[\"']")


def test_paused_match_is_active_and_finished_match_is_not() -> None:
    assert [state.value for state in TableState if state.is_live] == ["playing", "paused"]


def test_templates_use_only_existing_table_states() -> None:
    pages = Path(settings.BASE_DIR, "templates").rglob("*.html")
    compared = {state for page in pages for state in COMPARED_STATE.findall(page.read_text())}
    assert compared <= {*TableState.values}
    assert len(compared) > 3
