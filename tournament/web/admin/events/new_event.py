"""Page to create an event in steps: format, players, time and place, and a summary."""

from functools import cached_property
from typing import Any

from django.contrib import admin, messages
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.views.generic import TemplateView

from tournament.common.refusals import RefusedError
from tournament.events.services import choose_free_slug, create_event
from tournament.events.texts import event_summary
from tournament.models import Event, User
from tournament.oversight.rights import events_for
from tournament.pure.lists.sheets import MAX_BYTES
from tournament.pure.rights_table import RUN
from tournament.registration.eligibility.uploads import upload_list
from tournament.web.admin.base.pages import desk_url
from tournament.web.admin.events.new_event_forms import STEPS, TITLES, FormatForm, StepForm

SESSION_KEY = "new-event"
MAX_EARLIER_EVENTS = 5


class NewEventPage(TemplateView):
    """Page for one step in the creation of an event.

    The session stores the answers until the event is created.
    """

    template_name = "admin/events/new.html"

    def setup(self, request: HttpRequest, *args: Any, **kwargs: Any) -> None:
        super().setup(request, *args, **kwargs)
        step = request.GET.get("step", "")
        self.step = step if step in TITLES else next(iter(TITLES))

    @cached_property
    def answers(self) -> dict[str, StepForm]:
        """The valid forms of the answered steps, in order."""
        stored = self.request.session.get(SESSION_KEY, {})
        forms = {
            step: form(QueryDict(stored[step])) for step, form in STEPS.items() if step in stored
        }
        return {step: form for step, form in forms.items() if form.is_valid()}

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        missing = next((step for step in STEPS if step not in self.answers), None)
        if self.step == "sum" and missing:
            return self._redirect_to_step(missing)
        return super().get(request, *args, **kwargs)

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        steps = list(TITLES)
        number = steps.index(self.step)
        form = kwargs.pop("form", None) or self._get_form()
        is_summary = self.step == "sum"
        return super().get_context_data(
            **admin.site.each_context(self.request),
            title=_("New event"),
            heading=TITLES[self.step],
            steps=[(step, TITLES[step]) for step in steps],
            step=self.step,
            number=number + 1,
            back=steps[number - 1] if number else "",
            form=form,
            sentence=event_summary(self._make_event(), self._format_form.ready.stages)
            if is_summary
            else "",
            asks_list=is_summary and self._make_event().eligibility_required,
            earlier=self._list_earlier_events() if self.step == "format" else [],
            **kwargs,
        )

    def _list_earlier_events(self) -> list[Event]:
        """Return the latest events that the user may copy."""
        return list(
            events_for(self.request.user, RUN).filter(rehearsal_of=None)[:MAX_EARLIER_EVENTS]
        )

    def _get_form(self) -> StepForm | None:
        if self.step == "sum":
            return None
        return self.answers.get(self.step) or STEPS[self.step]()

    @property
    def _format_form(self) -> FormatForm:
        form = self.answers["format"]
        assert isinstance(form, FormatForm)
        return form

    def _make_event(self) -> Event:
        """Return an unsaved event with the answers that have been given."""
        event = Event()
        for form in self.answers.values():
            form.apply_to(event)
            for name, value in form.cleaned_data.items():
                if name in form.Meta.fields and value not in (None, ""):  # type: ignore[attr-defined]
                    setattr(event, name, value)
        event.slug = choose_free_slug(event.title)
        return event

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if self.step == "sum":
            return self._create_answered_event()
        form = STEPS[self.step](request.POST)
        if not form.is_valid():
            return self.render_to_response(self.get_context_data(form=form))
        stored = request.session.get(SESSION_KEY, {})
        request.session[SESSION_KEY] = stored | {self.step: request.POST.urlencode()}
        steps = list(TITLES)
        return self._redirect_to_step(steps[steps.index(self.step) + 1])

    def _redirect_to_step(self, step: str) -> HttpResponse:
        return redirect(f"{self.request.path}?step={step}")

    def _create_answered_event(self) -> HttpResponse:
        if set(self.answers) != set(STEPS):
            return self._redirect_to_step("sum")
        assert isinstance(self.request.user, User)
        try:
            event = create_event(
                self._make_event(), self.request.user, self._format_form.ready.stages
            )
        except RefusedError as refused:
            messages.error(self.request, refused.sentence)
            return self._redirect_to_step("sum")
        del self.request.session[SESSION_KEY]
        text = _("{obj} has been created. The desk shows every step from here to the winner.")
        messages.success(self.request, text.format(obj=event))
        return redirect(self._upload_list(event) or self._choose_next_page(event))

    def _upload_list(self, event: Event) -> str:
        """Store the list that was uploaded in the last step, and return the URL of its preview.

        Returns "" if there is no list. If the list is refused, returns the URL of the list page.
        """
        upload = self.request.FILES.get("list")
        if upload is None or not event.eligibility_required:
            return ""
        assert isinstance(self.request.user, User)
        # One byte over the limit is enough to refuse the file.
        content = upload.read(MAX_BYTES + 1)
        try:
            stored = upload_list(event, self.request.user, upload.name or "list", content)
        except RefusedError as refused:
            messages.error(self.request, refused.sentence)
            return desk_url("list", event)
        return desk_url("import", event, stored.pk)

    def _choose_next_page(self, event: Event) -> str:
        return desk_url("plan" if self.request.POST.get("then") == "plan" else "desk", event)
