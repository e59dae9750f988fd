"""The planner, which forecasts an event before it begins, or its remaining part during play."""

from datetime import timedelta
from functools import cached_property
from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.common.refusals import RefusedError
from tournament.models import Forecast
from tournament.planning.forecasts import cancel_question, queue_question
from tournament.planning.plots import plot
from tournament.planning.scenarios import (
    OWN,
    PlanChoice,
    make_planned_event,
    make_rest_of_day_question,
)
from tournament.pure.codes import Code
from tournament.pure.formats import READY
from tournament.pure.simulation.answers import PlanAnswer
from tournament.pure.simulation.questions import Question
from tournament.pure.simulation.rounds import HumanPace
from tournament.stages.outline import estimate_players
from tournament.web.admin.base.pages import Action, EventPage

MINUTES_PER_HOUR = 60


def _list_format_choices() -> list[tuple[str, Any]]:
    own = (OWN, gettext_lazy("This event’s current settings"))
    return [own, *((key, _(ready.name)) for key, ready in READY.items())]


def _make_number_field(
    label: Any, minimum: int, maximum: int, *, required: bool = False
) -> forms.IntegerField:
    return forms.IntegerField(
        label=label, min_value=minimum, max_value=maximum, required=required, localize=False
    )


class DaySettingsForm(forms.Form):
    """Form for the settings that both sides of the comparison share."""

    players = _make_number_field(gettext_lazy("Players"), 2, 1000, required=True)
    minutes = _make_number_field(gettext_lazy("Total minutes available"), 5, 6000, required=True)
    pause = _make_number_field(gettext_lazy("Minutes between rounds"), 0, 240, required=True)
    action = forms.FloatField(
        label=gettext_lazy("Average seconds per turn"), min_value=0.5, max_value=120
    )
    between = _make_number_field(gettext_lazy("Seconds between hands"), 0, 600, required=True)


class ComparisonSideForm(forms.Form):
    """Form for one side of the comparison. Empty fields mean the event's own values."""

    format = forms.ChoiceField(label=gettext_lazy("Format"), required=False)
    table_size = _make_number_field(gettext_lazy("Players per table"), 2, 10)
    target = _make_number_field(gettext_lazy("Points to win a match"), 1, 99_999)
    hand_limit = _make_number_field(gettext_lazy("Maximum hands per match"), 1, 200)
    round_minutes = _make_number_field(gettext_lazy("Maximum minutes per round"), 1, 600)

    def __init__(self, *args: Any, empty: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        no_comparison = [("", _("no comparison"))]
        self.fields["format"].choices = [*(no_comparison if empty else []), *_list_format_choices()]  # type: ignore[attr-defined]

    def chosen_course(self) -> PlanChoice | None:
        """Return the chosen format and settings, or None if no format is chosen."""
        return PlanChoice(**self.cleaned_data) if self.cleaned_data["format"] else None


class PlanPage(EventPage):
    """Page with a form to start a simulation, and the simulation's progress and result.

    The simulation runs in the worker, not in the processes that serve pages.
    """

    title = gettext_lazy("Planner")
    tab = "plan"
    template_name = "admin/planning/plan.html"
    view_right = "see"

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if "part" in request.GET:
            context = {
                "event": self.event,
                "can": {"cancel": self.can("cancel")},
                **self._load_answer(),
            }
            return render(request, "admin/planning/plan_answer.html", context)
        return super().get(request, *args, **kwargs)

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        kwargs |= self._load_answer()
        rest = make_rest_of_day_question(self.event, 0, 0)
        return super().get_context_data(forms=self.forms, playing=rest is not None, **kwargs)

    @cached_property
    def forms(self) -> tuple[DaySettingsForm, ComparisonSideForm, ComparisonSideForm]:
        """The forms, filled with the submitted values or those of the last simulation."""
        submitted = self.request.POST if self.text("action") == "ask" else None
        stored = self.request.session.get(self._session_key, {})
        return (
            DaySettingsForm(
                submitted, prefix="day", initial=self._default_settings() | stored.get("day", {})
            ),
            ComparisonSideForm(submitted, prefix="one", initial=stored.get("one", {}), empty=False),
            ComparisonSideForm(submitted, prefix="two", initial=stored.get("two", {}), empty=True),
        )

    @property
    def _session_key(self) -> str:
        return f"plan-{self.event.pk}"

    def _default_settings(self) -> dict[str, float]:
        pace = HumanPace()
        return {
            "players": estimate_players(self.event),
            "minutes": 3 * MINUTES_PER_HOUR,
            "pause": 10,
            "action": pace.action,
            "between": int(pace.between),
        }

    def _load_answer(self) -> dict[str, object]:
        """Return the template context for the latest question and its answer."""
        forecast = self.event.forecasts.filter(kind=Forecast.Kind.PLAN).first()
        if forecast is None or forecast.answer is None:
            return {"asked": forecast}
        question = Question.from_json(forecast.question)
        answers = [PlanAnswer.from_json(each) for each in forecast.answer]
        return {
            "asked": forecast,
            "question": question,
            "answers": [(each, *_compute_end_times(forecast, question, each)) for each in answers],
            "plot": plot(answers, question.minutes),
        }

    def actions(self) -> dict[str, Action]:
        return {"ask": self.ask_question, "rest": self.ask_about_rest, "cancel": self.cancel}

    def ask_question(self) -> str:
        if not all(form.is_valid() for form in self.forms):
            raise RefusedError(
                Code.FORM, " ".join(error for form in self.forms for error in _list_errors(form))
            )
        day, first_side, second_side = self.forms
        self._remember_values()
        data = day.cleaned_data
        courses = [
            each
            for each in (first_side.chosen_course(), second_side.chosen_course())
            if each is not None
        ]
        question = Question(
            courses=tuple(
                make_planned_event(self.event, each, data["players"]) for each in courses
            ),
            minutes=data["minutes"],
            pace=HumanPace(data["action"], data["between"]),
            pause=data["pause"],
        )
        queue_question(self.event, question)
        return _("{count} events are being simulated.").format(count=question.total)

    def _remember_values(self) -> None:
        """Store the submitted values in the session, to fill in the form again."""
        values = {form.prefix: form.cleaned_data for form in self.forms}
        self.request.session[self._session_key] = values

    def ask_about_rest(self) -> str:
        day_settings = self._default_settings() | self.request.session.get(
            self._session_key, {}
        ).get("day", {})
        question = make_rest_of_day_question(
            self.event, self._compute_time_left(day_settings["minutes"]), day_settings["pause"]
        )
        if question is None:
            raise RefusedError(
                Code.STATE,
                _("No round is being played, so there is nothing to base a forecast on."),
            )
        queue_question(self.event, question)
        return _("The rest of the day is being simulated from the current state of the tables.")

    def _compute_time_left(self, minutes: float) -> float:
        """Return how many of the `minutes` after the event's planned start are left."""
        if not self.event.starts_at:
            return minutes
        elapsed = (timezone.now() - self.event.starts_at).total_seconds() / 60
        return max(0.0, minutes - max(0.0, elapsed))

    def cancel(self) -> str:
        if not cancel_question(self.event):
            raise RefusedError(Code.STATE, _("There is nothing left to cancel."))
        return _("Cancelled.")

    def redirect_when_done(self) -> HttpResponse:
        if any(form.is_bound and not form.is_valid() for form in self.forms):
            return self.render_to_response(self.get_context_data())
        return super().redirect_when_done()


def _compute_end_times(
    forecast: Forecast, question: Question, plan_answer: PlanAnswer
) -> tuple[Any, Any]:
    """Return the times of day by which 50% and 90% of the simulated events end.

    Returns (None, None) before play has begun.
    """
    if not question.begun:
        return None, None
    ends = [
        forecast.asked_at + timedelta(minutes=minutes)
        for minutes in (plan_answer.median, plan_answer.most)
    ]
    return ends[0], ends[1]


def _list_errors(form: forms.Form) -> list[str]:
    return [f"{form.fields[name].label}: {messages[0]}" for name, messages in form.errors.items()]
