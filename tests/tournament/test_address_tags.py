"""Addresses in templates: those that are kept are the ones that Django would find."""

import pytest
from django.template import Context, Template
from django.test import RequestFactory
from django.test.utils import override_script_prefix
from django.urls import NoReverseMatch, resolve, reverse
from django.utils.safestring import mark_safe


def drawn(text: str, **given: object) -> str:
    return Template(text).render(Context(given))


def test_an_address_is_that_of_its_page_however_often_it_is_asked_for() -> None:
    for _ in range(2):
        assert drawn("{% url 'home' %}") == reverse("home")
        assert drawn("{% url 'event' slug %}", slug="spring") == reverse("event", args=["spring"])
        assert drawn("{% url 'event' slug %}", slug="autumn") == reverse("event", args=["autumn"])


def test_what_is_no_plain_text_is_put_together_as_ever() -> None:
    spring = reverse("event", args=["spring"])
    assert drawn("{% url 'event' slug %}", slug=mark_safe("spring")) == spring
    assert drawn("{% url 'event' slug=slug %}", slug="spring") == spring
    assert drawn("{% url 'event' slug as page %}[{{ page }}]", slug="spring") == f"[{spring}]"
    assert drawn("{% url 'no-such-page' as page %}[{{ page }}]") == "[]"


def test_a_page_that_is_not_there_has_no_address() -> None:
    for _ in range(2):
        with pytest.raises(NoReverseMatch):
            drawn("{% url 'no-such-page' %}")


def test_a_site_in_a_folder_has_its_folder_in_every_address() -> None:
    above = drawn("{% url 'home' %}")
    with override_script_prefix("/cards/"):
        assert drawn("{% url 'home' %}") == "/cards/"
    assert drawn("{% url 'home' %}") == above


def test_names_of_another_apps_pages_are_found_from_any_page() -> None:
    for path in (reverse("home"), reverse("games:practice")):
        request = RequestFactory().get(path)
        request.resolver_match = resolve(path)
        assert drawn("{% url 'games:practice' %}", request=request) == reverse("games:practice")
