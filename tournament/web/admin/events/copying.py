"""Page to copy an event. The form has only the settings that differ from event to event."""

from typing import Any

from django import forms
from django.core.exceptions import PermissionDenied
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.common.refusals import RefusedError
from tournament.events.copying import CopyOptions, copy_event
from tournament.models import Event
from tournament.models.event import one_line
from tournament.pure.codes import Code
from tournament.web.admin.base.pages import Action, EventPage, desk_url


class CopyForm(forms.Form):
    """Form for the copy of an event. Its times are in the event's zone."""

    def __init__(self, *args: Any, original_title: str, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.original_title = original_title

    title = forms.CharField(
        label=gettext_lazy("Title"),
        max_length=Event._meta.get_field("title").max_length,
        validators=[one_line],
    )
    starts_at = forms.SplitDateTimeField(
        label=gettext_lazy("First round starts"),
        required=False,
        widget=forms.SplitDateTimeWidget(date_attrs={"type": "date"}, time_attrs={"type": "time"}),
    )
    registration_closes = forms.SplitDateTimeField(
        label=gettext_lazy("Registration closes"),
        required=False,
        widget=forms.SplitDateTimeWidget(date_attrs={"type": "date"}, time_attrs={"type": "time"}),
    )
    students = forms.BooleanField(label=gettext_lazy("Copy the eligibility list"), required=False)
    staff = forms.BooleanField(
        label=gettext_lazy("Copy the team that runs the event, except commentators"),
        required=False,
    )

    def clean_title(self) -> str:
        title: str = self.cleaned_data["title"]
        if title.casefold() == self.original_title.casefold():
            raise forms.ValidationError(
                _("“{title}” is the event you are copying. Give the copy another title.").format(
                    title=title
                )
            )
        return title


class CopyPage(EventPage):
    """Page to copy an event, for owners who may add events."""

    title = gettext_lazy("Copy this event")
    template_name = "admin/events/copy.html"

    def get_context_data(self, **kwargs: object) -> dict[str, object]:
        submitted = self.request.POST or None
        form = CopyForm(submitted, original_title=self.event.title)
        return super().get_context_data(form=form, **kwargs)

    def actions(self) -> dict[str, Action]:
        return {"copy": self.copy}

    def copy(self) -> str:
        if not self.user.has_perm("tournament.add_event"):
            raise PermissionDenied
        form = CopyForm(self.request.POST, original_title=self.event.title)
        if not form.is_valid():
            raise RefusedError(Code.FORM, " ".join(_list_errors(form)))
        self.copied_event = copy_event(self.event, self.user, CopyOptions(**form.cleaned_data))
        return _(
            "{obj} has been created. The desk shows every step from here to the winner."
        ).format(obj=self.copied_event)

    def redirect_when_done(self) -> HttpResponse:
        if copied_event := getattr(self, "copied_event", None):
            return redirect(desk_url("desk", copied_event))
        return super().redirect_when_done()


def _list_errors(form: CopyForm) -> list[str]:
    """Return the first error of each invalid field, with the field's label."""
    return [f"{form.fields[name].label}: {messages[0]}" for name, messages in form.errors.items()]
