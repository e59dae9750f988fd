"""Tests of the template filter for lists of people."""

from types import SimpleNamespace

import pytest

from games.templatetags.names import join_people


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (["Asha"], "<bdi>Asha</bdi>"),
        (["Asha", "Ben"], "<bdi>Asha</bdi> and <bdi>Ben</bdi>"),
        (["Asha", "Ben", "Chi"], "<bdi>Asha</bdi>, <bdi>Ben</bdi> and <bdi>Chi</bdi>"),
        (["<b>", "{x}"], "<bdi>&lt;b&gt;</bdi> and <bdi>{x}</bdi>"),
    ],
)
def test_names_are_joined_with_one_and(names: list[str], text: str) -> None:
    assert join_people([SimpleNamespace(name=name) for name in names]) == text
