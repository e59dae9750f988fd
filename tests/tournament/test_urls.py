"""Tests that every page admits only its audience.

The tests fail for a new page until `PAGES` lists its permitted methods and visitors.
"""

import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import pytest
from allauth.account.models import EmailAddress
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse
from django.utils import timezone

from games import services as games
from tests.factories import UNREACHABLE_TARGET, make_organizer, make_student, make_user
from tests.tournament.helpers import first_stage, make_organized_event, start_drafted_round
from tests.typed import sure
from tournament.models import Certificate, Event, PublicProfile, User
from tournament.registration.eligibility.uploads import upload_list
from tournament.seating.services import seat_round

pytestmark = [pytest.mark.django_db, pytest.mark.patient]

METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE"}
READ, FORM = {"GET", "HEAD"}, {"GET", "HEAD", "POST"}
# Status of a GET without an account, as a player, as an organizer of another event and as a
# superuser. Without an account, 302 leads to the sign-in page.
FOR_EVERYONE = (200, 200, 200, 200)
NOT_FOUND = (404, 404, 404, 404)
SIGNED_IN, SENT_ON = (302, 200, 200, 200), (302, 302, 302, 302)
FOR_OWN_ORGANIZERS = (302, 302, 404, 200)
VISITORS_ALONE, SUPERUSERS = (200, 302, 302, 302), (302, 302, 403, 200)

PAGES = {
    "home": (READ, FOR_EVERYONE),
    "event": (READ, FOR_EVERYONE),
    "event-rules": (READ, FOR_EVERYONE),
    "event-register": (FORM, SIGNED_IN),
    "event-withdraw": (FORM, (302, 200, 404, 404)),
    "my-table": (READ, SIGNED_IN),
    "after-match": (READ, SIGNED_IN),
    "event-leaderboard": (READ, FOR_EVERYONE),
    "event-embed": (READ, FOR_EVERYONE),
    "event-bracket": (READ, FOR_EVERYONE),
    "event-closing": (READ, NOT_FOUND),  # the winner has not been announced
    "event-people": (READ, FOR_EVERYONE),
    "event-watch": (READ, SENT_ON),
    "home-boards": (READ, FOR_EVERYONE),
    "event-boards": (READ, FOR_EVERYONE),
    "event-picture": (READ, FOR_EVERYONE),
    "leaderboard-picture": (READ, FOR_EVERYONE),
    "home-picture": (READ, FOR_EVERYONE),
    "practice-picture": (READ, FOR_EVERYONE),
    "rule-sets-picture": (READ, FOR_EVERYONE),
    "rules-picture": (READ, FOR_EVERYONE),
    "event-calendar": (READ, NOT_FOUND),  # the event has no date
    "player-picture": (READ, FOR_EVERYONE),
    "match-picture": (READ, FOR_EVERYONE),
    "event-player": (READ, FOR_EVERYONE),
    "event-tables": (READ, FOR_EVERYONE),
    "event-results": (READ, FOR_EVERYONE),
    "table-points": (FORM, SENT_ON),
    "event-hall": (READ, FOR_EVERYONE),
    "my-certificate": (READ, (302, 404, 404, 404)),  # the results are not locked
    "certificate": (READ, FOR_EVERYONE),
    "event-history": (READ, FOR_EVERYONE),
    "im-back": (FORM, SENT_ON),
    "event-here": (FORM, SIGNED_IN),
    "event-door": (READ, SENT_ON),
    "event-history-file": (READ, FOR_EVERYONE),
    "my-table-now": (READ, SENT_ON),
    "own-match": (READ, FOR_EVERYONE),
    "my-events": (READ, SIGNED_IN),
    "invitations": (FORM, SIGNED_IN),
    "privacy": (READ, FOR_EVERYONE),
    "rule-sets": (READ, FOR_EVERYONE),
    "rules": (READ, FOR_EVERYONE),
    "profile": (FORM, SIGNED_IN),
    "choose-look": ({"POST"}, (302, 405, 405, 405)),
    "choose-public-page": ({"POST"}, (302, 405, 405, 405)),
    "player-career": (READ, FOR_EVERYONE),
    "push": ({"GET", "POST", "DELETE"}, (401, 200, 200, 200)),
    "my-data": (READ, SIGNED_IN),
    "sign-out-everywhere": (FORM, SENT_ON),
    "college-sign-in": ({"POST"}, (405, 405, 405, 405)),
    "college-callback": ({"GET"}, NOT_FOUND),  # no issuer is configured
    "college-part": (FORM, (302, 200, 302, 302)),  # accounts with a password must re-enter it
    "desk-sign-in": (FORM, VISITORS_ALONE),
    "games:table": (READ, FOR_EVERYONE),
    "games:commentary": (READ, (404, 404, 404, 404)),  # open only to the event's commentators
    "games:result": (READ, FOR_EVERYONE),
    "games:fair": (READ, FOR_EVERYONE),
    "games:review": (FORM, (404, 404, 404, 404)),  # the match is still in play
    "games:fair-file": (READ, FOR_EVERYONE),
    "games:replay": (READ, FOR_EVERYONE),
    "games:record": (READ, FOR_EVERYONE),
    "games:practice": (FORM, FOR_EVERYONE),
    "api": (READ, FOR_EVERYONE),
    "api-schema": (READ, FOR_EVERYONE),
    "api-unknown": (READ, NOT_FOUND),
    "api:api-root": (METHODS, NOT_FOUND),
    "api:events": ({"GET"}, FOR_EVERYONE),
    "api:event": ({"GET"}, FOR_EVERYONE),
    "api:standings": ({"GET"}, FOR_EVERYONE),
    "api:rounds": ({"GET"}, FOR_EVERYONE),
    "api:bracket": ({"GET"}, NOT_FOUND),  # no player has advanced yet
    "api:results": ({"GET"}, FOR_EVERYONE),
    "api:records": ({"GET"}, FOR_EVERYONE),
    "catalogue": (READ, FOR_EVERYONE),
    "favicon": (READ, SENT_ON),
    "robots": (READ, FOR_EVERYONE),
    "metrics": (READ, (404, 404, 404, 200)),
    "site-state": (READ, (302, 302, 200, 200)),
    "admin:event-runbook": (READ, (302, 302, 200, 200)),
    "admin:event-desk": (FORM, FOR_OWN_ORGANIZERS),
    "admin:event-rules": (FORM, FOR_OWN_ORGANIZERS),
    "admin:event-list": (FORM, FOR_OWN_ORGANIZERS),
    "admin:event-list-download": (FORM, FOR_OWN_ORGANIZERS),
    "admin:event-import": (FORM, FOR_OWN_ORGANIZERS),
    "admin:event-rounds": (FORM, FOR_OWN_ORGANIZERS),
    "admin:event-round": (FORM, FOR_OWN_ORGANIZERS),
    "admin:event-print": (FORM, FOR_OWN_ORGANIZERS),
    "admin:event-control": (FORM, FOR_OWN_ORGANIZERS),
    "admin:event-outages": (FORM, FOR_OWN_ORGANIZERS),
    "admin:event-reveal": (FORM, FOR_OWN_ORGANIZERS),
    "admin:event-table": (FORM, FOR_OWN_ORGANIZERS),
    "admin:event-standings": (FORM, FOR_OWN_ORGANIZERS),
    "admin:event-qualify": (FORM, FOR_OWN_ORGANIZERS),
    "admin:event-bracket": (FORM, FOR_OWN_ORGANIZERS),
    "admin:event-people": (FORM, FOR_OWN_ORGANIZERS),
    "admin:event-waiting": (FORM, FOR_OWN_ORGANIZERS),
    "admin:event-bring": (FORM, (302, 302, 403, 200)),
    "admin:event-privacy": (FORM, FOR_OWN_ORGANIZERS),
    "admin:event-carrying": (FORM, FOR_OWN_ORGANIZERS),
    "admin:event-whole": (FORM, FOR_OWN_ORGANIZERS),
    "admin:event-closing": (FORM, FOR_OWN_ORGANIZERS),
    "admin:event-exports": (FORM, FOR_OWN_ORGANIZERS),
    "admin:event-export": (FORM, FOR_OWN_ORGANIZERS),
    "admin:event-mails": (FORM, FOR_OWN_ORGANIZERS),
    "admin:event-sign-in": (FORM, FOR_OWN_ORGANIZERS),
    "admin:event-check-in": (FORM, FOR_OWN_ORGANIZERS),
    "admin:event-absentees": (FORM, FOR_OWN_ORGANIZERS),
    "admin:event-door": (FORM, FOR_OWN_ORGANIZERS),
    "admin:event-messages": (FORM, FOR_OWN_ORGANIZERS),
    "admin:event-player": (FORM, FOR_OWN_ORGANIZERS),
    "admin:event-conduct": (FORM, FOR_OWN_ORGANIZERS),
    "admin:event-copy": (FORM, FOR_OWN_ORGANIZERS),
    "admin:event-plan": (FORM, FOR_OWN_ORGANIZERS),
    "admin:event-rehearsal": (FORM, FOR_OWN_ORGANIZERS),
    "admin:event-format": (FORM, FOR_OWN_ORGANIZERS),
    "admin:event-log": (FORM, FOR_OWN_ORGANIZERS),
    "admin:event-stood": (FORM, FOR_OWN_ORGANIZERS),
    "admin:event-supposed": (READ, FOR_OWN_ORGANIZERS),
    "admin:tournament_user_lost_phone": (FORM, SUPERUSERS),
    "admin:tournament_user_college": (FORM, SUPERUSERS),
}
# Django's admin pages for rows. Each admin class decides who has access to them.
ROW_PAGE = re.compile(r"admin:(\w+)_(changelist|add|history|delete|change)$")
# Pages of allauth and Django, which have tests in these libraries. `-` stands for URL patterns
# without a name.
LIBRARY_PAGE = re.compile(
    r"(account|mfa)_\w+|set_language|admin:(index|login|logout|password_change(_done)?|autocomplete"
    r"|jsi18n|view_on_site|app_list|-)$"
)
# URL arguments that match nothing. `version` is missing, because every version of the catalogue is
# accepted.
UNKNOWN_PARAMETERS = {
    "slug": "no-such",
    "ruleset": "no-such",
    "public_id": "no-such",
    "language": "zz",
    "which": "no-such",
    "number": 99,
    "document": "no-such",
    "event_id": 99_999,
    "upload_id": 99_999,
    "round_id": 99_999,
    "table_id": 99_999,
    "user_id": 99_999,
    "registration_id": 99_999,
    "certificate": "no-such",
    "profile": "no-such",
}


def iter_urls(
    resolver: Any, space: str = "", around: tuple[str, ...] = ()
) -> Iterator[tuple[str, tuple[str, ...]]]:
    """Yield the name and parameters of every URL pattern."""
    for entry in resolver.url_patterns:
        parameters = (*around, *entry.pattern.converters)
        if isinstance(entry, URLResolver):
            inside = f"{entry.namespace}:" if entry.namespace else ""
            yield from iter_urls(entry, space + inside, parameters)
        elif isinstance(entry, URLPattern):
            yield f"{space}{entry.name or '-'}", parameters


URLS = dict(iter_urls(get_resolver()))


class VisitedEvent(NamedTuple):
    """An event in the middle of a round, and the visitors who request its pages."""

    known: dict[str, Any]
    visitors: tuple[Client, Client, Client, Client]

    def address(self, name: str, **changed: Any) -> str:
        which = {"admin:event-list-download": "list", "admin:event-export": "results.csv"}
        known = self.known | {"which": which.get(name)} | changed
        return reverse(name, kwargs={key: known[key] for key in URLS[name]})

    def request_status(self, name: str, method: str = "GET") -> int:
        """Request a page as the superuser and return the status."""
        return self.visitors[3].generic(method, self.address(name)).status_code


@pytest.fixture
def event() -> Event:
    event, organizer = make_organized_event(
        4, viewers="live", replays="hand", options=UNREACHABLE_TARGET
    )
    start_drafted_round(seat_round(first_stage(event), organizer), organizer, paper=False)
    make_student(event, "R00001")
    upload_list(event, organizer, "list.csv", b"Roll,Name\nR2,Ben\n")
    return event


@pytest.fixture
def visited_event(event: Event) -> VisitedEvent:
    [played] = first_stage(event).rounds.all()
    [table] = played.tables.all()
    games.play_out(sure(table.match), hands=1)
    known = {
        "slug": event.slug,
        "ruleset": event.ruleset,
        "public_id": sure(table.match).public_id,
        "number": 1,
        "document": "verify_deal.py",
        "event_id": event.pk,
        "upload_id": event.imports.get().pk,
        "round_id": played.pk,
        "table_id": table.pk,
        "user_id": event.registrations.all()[0].user.pk,
        "code": "AAAA-AAAA",
        "certificate": create_withdrawn_certificate(event).code,
        "registration_id": event.registrations.all()[0].pk,
        "profile": PublicProfile.objects.create(user=event.registrations.all()[0].user).public_id,
        "language": "en",
        "rest": "nothing",
        "version": "1",
    }
    player = event.registrations.all()[0].user
    root = make_user(is_staff=True, is_superuser=True)
    visitors = (Client(), sign_in(player), sign_in(make_other_organizer()), sign_in(root))
    return VisitedEvent(known, visitors)


def create_withdrawn_certificate(event: Event) -> Certificate:
    now = timezone.now()
    registration = event.registrations.all()[0]
    return Certificate.objects.create(registration=registration, issued_at=now, withdrawn_at=now)


def make_other_organizer() -> User:
    return make_organizer(make_organized_event(0)[0])


def sign_in(user: User) -> Client:
    client = Client()
    client.force_login(user)
    return client


def test_every_url_declares_its_access_level() -> None:
    named = {name for name in URLS if not LIBRARY_PAGE.match(name) and not ROW_PAGE.match(name)}
    assert named == PAGES.keys()


def test_each_page_admits_only_its_audience(visited_event: VisitedEvent) -> None:
    found = {
        name: tuple(
            visitor.get(visited_event.address(name)).status_code
            for visitor in visited_event.visitors
        )
        for name in PAGES
    }
    assert found == {name: audience for name, (_, audience) in PAGES.items()}


def test_signed_out_visitor_is_redirected_through_sign_in(visited_event: VisitedEvent) -> None:
    closed = [name for name, (_, audience) in PAGES.items() if audience[0] == 302]
    closed.remove("favicon")
    closed.remove("event-watch")  # redirects to a table
    closed.remove("event-door")  # redirects first, so that its code appears in no return address
    sent = {
        name: visited_event.visitors[0].get(visited_event.address(name))["Location"]
        for name in closed
    }
    back = {name: f"?next={visited_event.address(name)}" for name in closed}
    assert sent.pop("event-register") == f"{reverse('account_signup')}{back['event-register']}"
    assert {name: at for name, at in sent.items() if not at.endswith(f"login/{back[name]}")} == {}


def test_unsupported_methods_are_refused(visited_event: VisitedEvent) -> None:
    wrong = {(name, method) for name, (allowed, _) in PAGES.items() for method in METHODS - allowed}
    assert {
        (name, how) for name, how in wrong if visited_event.request_status(name, how) != 405
    } == set()


def test_unknown_url_arguments_are_not_found(visited_event: VisitedEvent) -> None:
    asked = {(name, key) for name in PAGES for key in URLS[name] if key in UNKNOWN_PARAMETERS}
    # An upload that another one has replaced redirects to the list.
    asked -= {("admin:event-import", "upload_id")}
    unknown = {
        (name, key): visited_event.address(name, **{key: UNKNOWN_PARAMETERS[key]})
        for name, key in asked
    }
    found = {which: visited_event.visitors[3].get(at).status_code for which, at in unknown.items()}
    assert {which for which, status in found.items() if status != 404} == set()


def map_row_keys(event: Event) -> dict[str, Any]:
    """Return the key of one row for each model with pages in the admin.

    If the model has rows that belong to the event, the key is that of such a row.
    """
    match = sure(first_stage(event).rounds.get().tables.get().match)
    registration = event.registrations.all()[0]
    return {
        "tournament_event": event.pk,
        "tournament_registration": registration.pk,
        "tournament_eligiblestudent": event.students.get().pk,
        "tournament_user": registration.user.pk,
        "auth_user_password": registration.user.pk,
        "account_emailaddress": EmailAddress.objects.get(user=registration.user).pk,
        "games_match": match.pk,
        "games_hand": match.hands.get().pk,
        "games_loggedaction": 1,
        "games_reaction": 1,
        "auth_group": 1,
    }


def map_admin_addresses(event: Event) -> dict[str, str]:
    rows = map_row_keys(event)
    return {
        name: reverse(name, args=[rows[found[1]]] if URLS[name] else [])
        for name in URLS
        if (found := ROW_PAGE.match(name))
    }


def test_admin_rows_are_restricted_to_staff(event: Event) -> None:
    for client in (Client(), sign_in(event.registrations.all()[0].user)):
        sent = {name: client.get(at) for name, at in map_admin_addresses(event).items()}
        assert {name for name, answer in sent.items() if "login" not in answer["Location"]} == set()


def test_event_rows_are_hidden_from_organizers_of_other_events(event: Event) -> None:
    client = sign_in(make_other_organizer())
    addresses = {name: at for name, at in map_admin_addresses(event).items() if URLS[name]}
    found = {name: client.get(at).status_code for name, at in addresses.items()}
    # Django redirects requests for a row without access to the admin's index.
    assert {name: status for name, status in found.items() if status not in (302, 403)} == {}
