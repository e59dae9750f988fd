"""F28: forms that another site sends in a user's name are refused everywhere."""

import pytest
from django.test import Client
from django.urls import reverse

from tests.factories import make_user
from tests.tournament import test_urls
from tests.tournament.test_urls import URLS, VisitedEvent, map_admin_addresses
from tournament.models import Event, User

pytestmark = [pytest.mark.django_db, pytest.mark.patient]

# The fixtures of the test that visits all addresses.
event, site = test_urls.event, test_urls.visited_event


def make_forging_client(user: User) -> Client:
    """Return a signed-in client that checks CSRF tokens but sends none."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(user)
    return client


def post_to_each(client: Client, addresses: dict[str, str]) -> dict[str, int]:
    return {name: client.post(at, {"x": "y"}).status_code for name, at in addresses.items()}


def test_every_page_rejects_a_form_without_its_token(site: VisitedEvent) -> None:
    root = User.objects.get(is_superuser=True)
    answers = post_to_each(
        make_forging_client(root), {name: site.address(name) for name in test_urls.PAGES}
    )
    # 405: the page accepts no forms.
    assert {name: code for name, code in answers.items() if code not in (403, 405)} == {}
    forms = {name for name, (methods, _) in test_urls.PAGES.items() if "POST" in methods}
    assert {name for name, code in answers.items() if code == 403} >= forms


def test_admin_rows_do_not_change_without_a_token(event: Event) -> None:
    root = make_user(is_staff=True, is_superuser=True)
    answers = post_to_each(make_forging_client(root), map_admin_addresses(event))
    assert {name: code for name, code in answers.items() if code != 403} == {}


def test_account_pages_reject_a_form_without_its_token(event: Event) -> None:
    plain = [name for name, parameters in URLS.items() if not parameters]
    named = [name for name in plain if name.startswith("account_")]
    player = event.registrations.all()[0].user
    for client in (make_forging_client(player), Client(enforce_csrf_checks=True)):
        answers = post_to_each(client, {name: reverse(name) for name in named})
        assert {name: code for name, code in answers.items() if code not in (403, 405)} == {}
