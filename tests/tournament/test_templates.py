"""What a page was made from goes with it."""

import gc
import weakref
from collections.abc import Iterator

import pytest
from django.http import HttpRequest
from django.template import TemplateDoesNotExist, engines
from django.template.loader import render_to_string
from django.test import RequestFactory

from tournament.models import User

PAGE = "tournament/includes/person.html"


class Values:
    """Stands for thousands of them."""


@pytest.fixture
def no_looks() -> Iterator[None]:
    gc.disable()
    yield
    gc.enable()


@pytest.mark.django_db
@pytest.mark.usefixtures("no_looks")
def test_what_a_page_was_made_from_is_gone_without_a_look(rf: RequestFactory) -> None:
    values = Values()
    seen, known = weakref.ref(values), {"name": "Asha", "values": values}
    page = render_to_string(PAGE, known, request_of(rf))
    del values, known
    assert "Asha" in page
    assert seen() is None


def request_of(factory: RequestFactory) -> HttpRequest:
    request = factory.get("/")
    request.user, request.session = User(), {}  # type: ignore[assignment]
    return request


def test_a_page_that_includes_what_is_not_there_says_so() -> None:
    page = engines["templates"].from_string("{% include 'tournament/nothing.html' %}")
    with pytest.raises(TemplateDoesNotExist, match=r"tournament/nothing\.html"):
        page.render({})
