"""Read-only pages with the activity log and with earlier states of the event."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.desk.snapshot import event_as_of
from tournament.models import AuditEntry, Event, Round, Table, describe_action
from tournament.oversight import log as read
from tournament.web.admin.base.pages import EventPage

PER_PAGE = 100
MOMENT_INPUT = forms.DateTimeInput(attrs={"type": "datetime-local", "step": "1"})


class LogForm(forms.Form):
    """Filters of the activity log, limited to values that occur in it."""

    person = forms.ChoiceField(label=gettext_lazy("Who"), required=False)
    action = forms.ChoiceField(label=gettext_lazy("What"), required=False)
    part = forms.ChoiceField(label=gettext_lazy("Round or table"), required=False)
    player = forms.ChoiceField(label=gettext_lazy("Player"), required=False)
    since = forms.DateTimeField(label=gettext_lazy("From"), required=False, widget=MOMENT_INPUT)
    until = forms.DateTimeField(label=gettext_lazy("Before"), required=False, widget=MOMENT_INPUT)
    q = forms.CharField(label=gettext_lazy("Text contains"), required=False, max_length=80)

    def __init__(self, event: Event, data: Any) -> None:
        super().__init__(data)
        self.parts = {_make_key(part): part for part in read.list_rounds_and_tables(event)}
        self.players = {str(row.pk): row for row in event.registrations.order_by("name")}
        site_choice = [("site", _("the site"))]
        self._set_choices("person", [*read.list_actors(event), *site_choice])
        self._set_choices(
            "action", [(key, describe_action(key)) for key in read.list_actions(event)]
        )
        self._set_choices("part", [(key, str(part)) for key, part in self.parts.items()])
        self._set_choices("player", [(key, row.name) for key, row in self.players.items()])

    def _set_choices(self, name: str, choices: Sequence[tuple[str, str]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", "–"), *choices]

    def build_filter(self) -> read.LogFilter:
        """Return the requested filter. Invalid fields are ignored."""
        self.is_valid()
        values = {name: self.cleaned_data.get(name) for name in self.fields}
        return read.LogFilter(
            person=values["person"] or "",
            action=values["action"] or "",
            part=self.parts.get(values["part"] or ""),
            player=self.players.get(values["player"] or ""),
            since=values["since"],
            until=values["until"],
            words=values["q"] or "",
        )


def _make_key(round_or_table: Round | Table) -> str:
    """Return the key of a round or table in the URL."""
    return f"{'round' if isinstance(round_or_table, Round) else 'table'}-{round_or_table.pk}"


class LogPage(EventPage):
    """Page with the activity log.

    Each entry shows the actor, the action, the time to the second, the values before and after,
    and the reason.
    """

    title = gettext_lazy("Activity log")
    tab = "log"
    template_name = "admin/oversight/log.html"
    view_right = "see_log"

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        form = LogForm(self.event, self.request.GET)
        entries = read.select_entries(self.event, form.build_filter())
        page = Paginator(entries, PER_PAGE).get_page(self.request.GET.get("page"))
        return super().get_context_data(
            form=form,
            page=page,
            rows=[build_log_row(entry) for entry in page],
            narrowed=bool(self.request.GET.keys() - {"page"}),
            **kwargs,
        )


def build_log_row(entry: AuditEntry) -> dict[str, object]:
    """Return the template context of a log entry."""
    return {
        "entry": entry,
        "what": describe_action(entry.action),
        "changes": read.list_changed_fields(entry.data, _("points")),
        "at": timezone.localtime(entry.at).replace(tzinfo=None, microsecond=0).isoformat(),
    }


class SnapshotPage(EventPage):
    """Page that shows the event as it was at the requested time. The default is now."""

    title = gettext_lazy("Snapshot")
    tab = "log"
    template_name = "admin/oversight/snapshot.html"
    view_right = "see_log"

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        requested = self.request.GET.get("at", "")
        moment = _read_moment(requested) if requested else timezone.now()
        if moment is None:
            messages.error(self.request, _("Enter a date and time in the past, including seconds."))
            moment = timezone.now()
        snapshot = event_as_of(self.event, moment)
        return super().get_context_data(
            stood=snapshot,
            given=timezone.localtime(moment).replace(tzinfo=None, microsecond=0).isoformat(),
            rows=[build_log_row(entry) for entry in snapshot.latest],
            **kwargs,
        )


def _read_moment(text: str) -> datetime | None:
    """Parse a time in the active zone, and round it up to the end of its second.

    Returns None if it is invalid or in the future.
    """
    try:
        start_of_second = datetime.fromisoformat(text).replace(
            tzinfo=timezone.get_current_timezone()
        )
    except ValueError:
        return None
    moment = start_of_second.replace(microsecond=999_999)
    return moment if start_of_second <= timezone.now() else None
