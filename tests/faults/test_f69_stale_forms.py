"""F69: two organizers have the same form open, and both save it."""

import html
import re
from typing import Any

import pytest
from django.http import QueryDict
from django.urls import reverse
from django.utils import timezone

from games.rules.ruleset import rulesets
from tests.factories import make_event, make_players
from tests.faults.stale import RulesPage, SettingsPage, format_conflict_notice, map_errors
from tests.tournament.helpers import first_stage, make_organized_event
from tests.tournament.web.admin.events.test_events import list_log_texts, read_form
from tournament.models import Event, Registration, Stage
from tournament.web.admin.base.generic import AnyForm
from tournament.web.admin.base.stale_forms import MergingForm

pytestmark = [pytest.mark.django_db, pytest.mark.patient]


@pytest.fixture
def event() -> Event:
    event, _ = make_organized_event(0, title="Chem Fest", place="Hall 1", capacity=40)
    return event


@pytest.fixture
def my_form(event: Event) -> SettingsPage:
    return SettingsPage(event)


@pytest.fixture
def other_form(event: Event, my_form: SettingsPage) -> SettingsPage:
    """Provide another organizer's form, opened before anything was saved."""
    return SettingsPage(event)


def test_field_changed_only_by_the_other_organizer_keeps_the_new_value(
    event: Event, my_form: SettingsPage, other_form: SettingsPage
) -> None:
    other_form.save(
        place="Hall 2", fill_with_bots="on", tie_breakers_0="lots", tie_breakers_5="wins"
    )
    assert map_errors(my_form.save(capacity="60")) == {}
    event.refresh_from_db()
    assert (event.place, event.capacity, event.fill_with_bots) == ("Hall 2", 60, True)
    assert event.tie_breakers[0] == "lots"
    assert list_log_texts(event)[-1] == "Changed: spots."


def test_field_changed_by_both_is_reported_and_nothing_is_saved(
    event: Event, my_form: SettingsPage, other_form: SettingsPage
) -> None:
    other_form.save(place="Hall 2")
    assert map_errors(my_form.save(place="Hall 3", capacity="60")) == {
        "place": [format_conflict_notice("Hall 2")]
    }
    event.refresh_from_db()
    assert (event.place, event.capacity) == ("Hall 2", 40)


def test_saving_again_after_the_conflict_message_succeeds(
    event: Event, my_form: SettingsPage, other_form: SettingsPage
) -> None:
    other_form.save(place="Hall 2", description="Bring cards.")
    my_form.save(place="Hall 3")
    assert (my_form.fields["place"], my_form.fields["description"]) == ("Hall 3", "Bring cards.")
    assert map_errors(my_form.save()) == {}
    event.refresh_from_db()
    assert (event.place, event.description) == ("Hall 3", "Bring cards.")


def test_third_change_in_between_is_also_reported(
    event: Event, my_form: SettingsPage, other_form: SettingsPage
) -> None:
    other_form.save(place="Hall 2")
    my_form.save(place="Hall 3")
    SettingsPage(event).save(place="Hall 4")
    assert map_errors(my_form.save()) == {"place": [format_conflict_notice("Hall 4")]}


def test_same_value_set_by_both_is_no_conflict(
    event: Event, my_form: SettingsPage, other_form: SettingsPage
) -> None:
    other_form.save(place="Hall 2")
    assert map_errors(my_form.save(place="Hall 2", capacity="60")) == {}
    assert list_log_texts(event) == ["Changed: venue.", "Changed: spots."]


def test_field_emptied_by_the_other_organizer_stays_empty(
    event: Event, my_form: SettingsPage, other_form: SettingsPage
) -> None:
    other_form.save(place="", capacity="")
    assert map_errors(my_form.save(capacity="60")) == {
        "capacity": [format_conflict_notice("nothing")]
    }
    assert my_form.fields.get("place", "") == ""


@pytest.mark.parametrize(
    ("theirs", "ours", "complaint"),
    [
        (
            {"viewers": "delayed"},
            {"viewers": "hand"},
            {"viewers": [format_conflict_notice("every move with a delay")]},
        ),
        (
            {"conditions": "programme = UG"},
            {"conditions": "programme = PG"},
            {"conditions": [format_conflict_notice("programme = UG")]},
        ),
        (
            {"starts_at_0": "2026-12-01", "starts_at_1": "10:00:00"},
            {"starts_at_0": "2026-12-02", "starts_at_1": "10:00:00"},
            {"starts_at": [format_conflict_notice("2026-12-01, 10:00:00")]},
        ),
        (
            {"description": "one\r\ntwo"},
            {"description": "three"},
            {"description": [format_conflict_notice("one\r\ntwo")]},
        ),
    ],
)
def test_conflict_message_formats_the_value_like_the_form(
    my_form: SettingsPage,
    other_form: SettingsPage,
    theirs: dict[str, str],
    ours: dict[str, str],
    complaint: dict[str, list[str]],
) -> None:
    assert map_errors(other_form.save(**theirs)) == {}
    assert map_errors(my_form.save(**ours)) == complaint


def test_order_conflict_is_described_in_words(
    my_form: SettingsPage, other_form: SettingsPage
) -> None:
    other_form.save(tie_breakers_0="lots", tie_breakers_5="wins")
    order = "Drawing lots, Placement, Share, Points left, Opponents, Wins"
    found = map_errors(my_form.save(tie_breakers_0="share", tie_breakers_2="wins"))
    assert found == {"tie_breakers": [format_conflict_notice(order)]}


def test_registration_closed_by_play_stays_closed(event: Event, my_form: SettingsPage) -> None:
    closed = timezone.now()
    Event.objects.update(registration_closes=closed)
    assert map_errors(my_form.save(capacity="60")) == {}
    event.refresh_from_db()
    assert event.registration_closes == closed


def test_unchanged_text_lines_are_no_change(event: Event) -> None:
    Event.objects.update(description="one\ntwo")
    mine, other = SettingsPage(event), SettingsPage(event)
    other.save(description="three")
    mine.fields["description"] = "one\r\ntwo"
    assert map_errors(mine.save(capacity="60")) == {}
    event.refresh_from_db()
    assert event.description == "three"


@pytest.mark.parametrize("token", ["", "forged", "e30:forged"])
def test_form_without_its_initial_values_is_refused(
    event: Event, my_form: SettingsPage, token: str
) -> None:
    sentence = (
        "Some of this form’s data has been lost. Open the page again and make your change there."
    )
    assert map_errors(my_form.save(place="Hall 2", shown=token)) == {"__all__": [sentence]}
    event.refresh_from_db()
    assert event.place == "Hall 1"


# Stages


def test_stages_are_merged_field_by_field(
    event: Event, my_form: SettingsPage, other_form: SettingsPage
) -> None:
    other_form.save(**{"stages-0-rounds_planned": "2", "stages-2-0-title": "Finals"})
    changed = {"stages-0-qualify_value": "4", "stages-2-0-advance": "1"}
    assert map_errors(my_form.save(**changed)) == {}
    first, second = event.stages.order_by("number")
    assert (first.rounds_planned, first.qualify_value) == (2, 4)
    assert (second.title, second.advance) == ("Finals", 1)


@pytest.mark.parametrize(
    ("field", "theirs", "ours"),
    [("stages-0-rounds_planned", "2", "4"), ("stages-2-0-advance", "1", "3")],
)
def test_stage_field_changed_by_both_is_reported_and_nothing_is_saved(
    event: Event,
    my_form: SettingsPage,
    other_form: SettingsPage,
    field: str,
    theirs: str,
    ours: str,
) -> None:
    other_form.save(**{field: theirs})
    found = map_errors(my_form.save(place="Hall 3", **{field: ours}))
    assert found == {field.rpartition("-")[2]: [format_conflict_notice(theirs)]}
    event.refresh_from_db()
    assert event.place == "Hall 1"
    assert map_errors(my_form.save()) == {}
    assert ours in (str(first_stage(event).rounds_planned), str(event.stages.get(number=2).advance))


def test_applied_qualification_rule_is_read_only(event: Event, my_form: SettingsPage) -> None:
    event.stages.filter(number=1).update(state=Stage.State.CLOSED, qualify_value=4)
    assert map_errors(my_form.save(**{"stages-0-rounds_planned": "2"})) == {}
    stage = first_stage(event)
    assert (stage.rounds_planned, stage.qualify_value) == (2, 4)


# The rules page


def load_stored_rules(event: Event) -> tuple[str, dict[str, Any]]:
    event.refresh_from_db()
    return event.ruleset, event.options


def test_option_changed_only_by_the_other_organizer_is_kept(event: Event) -> None:
    mine, other = RulesPage(event), RulesPage(event)
    assert other.save(stacking="any-draw", target="250") == {}
    assert mine.save(challenge="False") == {}
    wanted = {"stacking": "any-draw", "target": 250, "challenge": False}
    assert load_stored_rules(event) == ("uno-400", wanted)


def test_option_changed_by_both_is_reported_in_its_own_sentence(event: Event) -> None:
    mine, other = RulesPage(event), RulesPage(event)
    other.save(target="250", challenge="False")
    assert mine.save(target="300") == {"target": [format_conflict_notice("250")]}
    assert load_stored_rules(event) == ("uno-400", {"target": 250, "challenge": False})
    assert mine.save() == {}
    assert load_stored_rules(event) == ("uno-400", {"target": 300, "challenge": False})


def format_rules_conflict(rules: str) -> dict[str, list[str]]:
    text = f"Another organizer has changed the rules to {rules}."
    return {"__all__": [f"{text} Save again to replace them with yours."]}


def test_options_do_not_mix_with_a_rule_set_replaced_by_another_organizer(
    event: Event,
) -> None:
    mine, other = RulesPage(event), RulesPage(event, choose="ocho")
    assert other.save() == {}
    assert mine.save(target="300") == format_rules_conflict("Ocho")
    assert load_stored_rules(event) == ("ocho", {})
    assert mine.save() == {}
    assert load_stored_rules(event) == ("uno-400", {"target": 300})


def test_replacing_the_rule_set_reports_changes_to_the_old_one(
    event: Event,
) -> None:
    mine, other = RulesPage(event, choose="ocho"), RulesPage(event)
    assert other.save(target="250") == {}
    assert list(mine.save()) == ["__all__"]
    assert load_stored_rules(event) == ("uno-400", {"target": 250})
    assert mine.save() == {}
    assert load_stored_rules(event) == ("ocho", {})


# Forms that change many rows


class ApartForm(MergingForm, AnyForm):
    class Meta:
        model = Registration
        fields = ("apart_from",)


def submit_form(player: Registration, apart: ApartForm, *others: Registration) -> ApartForm:
    """Return the form submitted with these other players selected."""
    data = QueryDict(mutable=True)
    data["shown"] = apart["shown"].value()
    data.setlist("apart_from", [str(other.pk) for other in others])
    return ApartForm(data, instance=player)


def test_multiple_choice_changed_only_by_the_other_organizer_is_kept() -> None:
    player, one, two = make_players(make_event(), 3)
    player.apart_from.add(one)
    opened = ApartForm(instance=player)
    player.apart_from.add(two)
    form = submit_form(player, opened, one)
    assert (form.is_valid(), form.changed_data) == (True, [])
    assert set(form.cleaned_data["apart_from"]) == {one, two}


def test_multiple_choice_changed_by_both_is_reported() -> None:
    player, one, two, three = make_players(make_event(), 4)
    player.apart_from.add(one)
    opened = ApartForm(instance=player)
    player.apart_from.set([two])
    form = submit_form(player, opened, one, three)
    assert form.errors == {"apart_from": [format_conflict_notice(str(two))]}
    assert submit_form(player, form, one, three).is_valid()


# The log


def test_log_shows_old_and_new_value_of_each_field(event: Event, my_form: SettingsPage) -> None:
    my_form.save(place="Hall 2", capacity="", fill_with_bots="on", conditions="programme = UG")
    my_form.fields = read_form(my_form.client, my_form.address)
    my_form.save(viewers="delayed", **{"stages-0-rounds_planned": "2"})
    entries = event.audit.filter(action="change").order_by("pk")
    assert [
        [(each["field"], each["before"], each["after"]) for each in entry.data["changes"]]
        for entry in entries
    ] == [
        [
            ("venue", "Hall 1", "Hall 2"),
            ("spots", "40", "–"),
            ("conditions", "–", "programme = UG"),
            ("bots fill tables that are short of players", "no", "yes"),
        ],
        [("viewers see", "every move live", "every move with a delay")],
        [("rounds", "3", "2")],
    ]
    page = my_form.client.get(reverse("admin:event-log", args=[event.pk])).text
    assert "<li><bdi>venue</bdi>: <bdi>Hall 1</bdi> → <bdi>Hall 2</bdi></li>" in page


def test_log_describes_each_rule_option_in_a_sentence(event: Event) -> None:
    RulesPage(event).save(target="250")
    RulesPage(event, choose="ocho").save()
    first, second = event.audit.filter(action="rules").order_by("pk")
    before, after = "The target is 400 points.", "The target is 250 points."
    assert first.data["changes"] == [{"field": "Target", "before": before, "after": after}]
    assert second.data["changes"][0] == {
        "field": "rule set",
        "before": rulesets.RULE_SETS["uno-400"].name,
        "after": "Ocho",
    }


# The pages


@pytest.mark.parametrize(
    ("name", "fields"),
    [
        ("admin:tournament_event_change", ["shown", "stages-0-shown", "stages-2-0-shown"]),
        ("admin:event-rules", ["shown"]),
    ],
)
def test_page_carries_its_initial_values_in_hidden_fields(
    event: Event, my_form: SettingsPage, name: str, fields: list[str]
) -> None:
    page = my_form.client.get(reverse(name, args=[event.pk])).content.decode()
    hidden = re.findall(r'<input type="hidden" name="([\w-]*shown)" value="[^"]+"', page)
    assert hidden == fields


def test_error_is_shown_next_to_its_field(my_form: SettingsPage, other_form: SettingsPage) -> None:
    other_form.save(place="Hall 2")
    page = my_form.save(place="Hall 3").content.decode()
    row = page[page.index("field-place") : page.index('name="place"')]
    assert format_conflict_notice("Hall 2") in html.unescape(row)
