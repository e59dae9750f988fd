"""F4: a guessed address of a private match looks like an address that does not exist."""

import re

import pytest
from django.test import Client
from websockets.exceptions import InvalidStatus

from games import services
from games.models import Match
from tests.factories import make_user
from tests.games.pages import list_page_addresses
from tests.games.windows import open_window
from tests.live import LiveSite
from tests.typed import Response

pytestmark = pytest.mark.django_db(transaction=True)


def strip_variable_parts(answer: Response, match: Match) -> str:
    """Return the page's HTML without the match's id and the CSRF token."""
    html = answer.content.decode().replace(match.public_id, "ID")
    return re.sub(r'value="\w{64}"', "", html)


def test_unknown_match_and_foreign_practice_look_the_same(live_site: LiveSite) -> None:
    practice = services.start_practice(make_user(), "uno-400", 2)
    for match in ("no-such-match-at-all", practice):
        for user in (None, make_user()):
            with open_window(live_site, match, user) as window:
                assert window.read_close_code() == 4404
                assert window.heard == []


def test_url_without_a_socket_is_refused(live_site: LiveSite) -> None:
    with pytest.raises(InvalidStatus):
        open_window(live_site, "x/y/z", None)


def test_unknown_match_and_foreign_practice_both_return_not_found(client: Client) -> None:
    owner, stranger = make_user(), make_user()
    practice = services.start_practice(owner, "uno-400", 2)
    unknown = Match(public_id="x" * 24)
    for user in (None, stranger):
        if user:
            client.force_login(user)
        for private, missing in zip(
            list_page_addresses(practice), list_page_addresses(unknown), strict=True
        ):
            answers = client.get(private), client.get(missing)
            assert [answer.status_code for answer in answers] == [404, 404]
            assert strip_variable_parts(answers[0], practice) == strip_variable_parts(
                answers[1], unknown
            )
    client.force_login(owner)
    assert client.get(list_page_addresses(practice)[0]).status_code == 200
