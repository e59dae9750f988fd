"""Fields of an event that more than one form has."""

from typing import Any
from zoneinfo import available_timezones

import pytest
from django import forms
from django.test import SimpleTestCase

from tournament.admin.fields import LongSelect, zones


@pytest.mark.parametrize("value", ["", "Asia/Kolkata", None, "no/such"])
def test_a_long_list_shows_what_a_short_one_does(value: str | None) -> None:
    how: dict[str, Any] = {"attrs": {"translate": "no"}, "choices": zones()}
    for_it = {"id": "id_time_zone", "required": True, "disabled": False}
    long = LongSelect(**how).render("time_zone", value, for_it)
    short = forms.Select(**how).render("time_zone", value, for_it)
    SimpleTestCase().assertHTMLEqual(long, short)


def test_every_zone_of_this_machine_can_be_chosen() -> None:
    of_site, *others = zones()
    assert of_site[0] == ""
    assert others == [(name, name) for name in sorted(available_timezones())]


def test_what_it_lists_is_text() -> None:
    shown = LongSelect(choices=[("<b>", "<i>")]).render("<name>", "<b>")
    assert shown == (
        '<select name="&lt;name&gt;"><option value="&lt;b&gt;" selected>&lt;i&gt;</option></select>'
    )
