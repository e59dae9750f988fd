"""Several people in one sentence of a page."""

from types import SimpleNamespace

import pytest

from games.protocol.faces import face_of
from games.templatetags.names import face, named


@pytest.mark.parametrize(
    ("names", "text"),
    [
        (["Asha"], "<bdi>Asha</bdi>"),
        (["Asha", "Ben"], "<bdi>Asha</bdi> and <bdi>Ben</bdi>"),
        (["Asha", "Ben", "Chi"], "<bdi>Asha</bdi>, <bdi>Ben</bdi> and <bdi>Chi</bdi>"),
        (["<b>", "{x}"], "<bdi>&lt;b&gt;</bdi> and <bdi>{x}</bdi>"),
    ],
)
def test_names_are_a_list_with_one_and(names: list[str], text: str) -> None:
    assert named([SimpleNamespace(name=name) for name in names]) == text


def test_u58_a_face_is_an_initial_in_the_colour_of_the_account() -> None:
    looks = face_of("Asha", 7)
    wanted = f'<span class="face tone-{looks["tone"]}" aria-hidden="true">A</span>'
    assert face("Asha", 7) == wanted


def test_u58_a_face_shows_a_name_as_text() -> None:
    assert ">&lt;<" not in face("<b>", 1)
    assert face("<b>", 1).endswith(">B</span>")
