"""Tests of the runbook as a page of the desk."""

import re
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse

from tests.factories import make_organizer, make_user
from tests.tournament.helpers import make_organized_event
from tests.tournament.organizing import page
from tournament.web.admin.desk.runbook import RUNBOOK

pytestmark = pytest.mark.django_db


def read_runbook() -> str:
    client = Client()
    client.force_login(make_organizer(make_organized_event(0)[0]))
    return str(client.get(reverse("admin:event-runbook")).content.decode())


def test_runbook_has_the_document_headings_without_markup() -> None:
    text = (Path(settings.BASE_DIR) / "docs" / RUNBOOK).read_text()
    html = read_runbook()
    headings = re.findall(r"^## (.*)$", text, re.MULTILINE)
    assert re.findall(r"<h2 id=.*?>(.*?)</h2>", html) == headings
    assert "<table>" in html
    assert ".md" not in html


def test_runbook_links_point_to_its_headings() -> None:
    html = read_runbook()
    runbook = html.partition('<div lang="en">')[2]
    led = set(re.findall(r'<a href="#([^"]+)"', runbook))
    assert {"rulings", "sign-in-help"} <= led
    assert led <= set(re.findall(r'<h2 id="([^"]+)"', runbook))


def test_every_runbook_picture_is_a_static_file() -> None:
    pictures = re.findall(r'src="/static/(docs/[^"]+)"', read_runbook())
    assert len(pictures) == 5
    assert [each for each in pictures if finders.find(each) is None] == []


def test_desk_and_event_list_link_to_the_runbook() -> None:
    event, organizer = make_organized_event(0)
    client = Client()
    client.force_login(organizer)
    link = f'href="{reverse("admin:event-runbook")}"'
    for address in (page("desk", event), reverse("admin:tournament_event_changelist")):
        assert link in client.get(address).content.decode()


def test_runbook_is_hidden_from_users_without_an_event() -> None:
    client = Client()
    client.force_login(make_user())
    assert client.get(reverse("admin:event-runbook")).status_code == 302
