"""What organizers did: read only."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django import forms
from django.contrib import messages
from django.core.paginator import Paginator
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, pgettext_lazy

from tournament.admin.pages import EventPage
from tournament.models import AuditEntry, Event, Round, Table
from tournament.queries import log as read
from tournament.queries.stood import as_it_stood

PER_PAGE = 100
MOMENT = forms.DateTimeInput(attrs={"type": "datetime-local", "step": "1"})
ACTIONS = {
    "abandon": pgettext_lazy("action in the log", "abandon"),
    "anonymise": pgettext_lazy("action in the log", "anonymise"),
    "answer": pgettext_lazy("action in the log", "answer"),
    "approve": pgettext_lazy("action in the log", "approve"),
    "ask": pgettext_lazy("action in the log", "ask"),
    "carry-break": pgettext_lazy("action in the log", "carry-break"),
    "carry-in": pgettext_lazy("action in the log", "carry-in"),
    "carry-out": pgettext_lazy("action in the log", "carry-out"),
    "add-stage": pgettext_lazy("action in the log", "add-stage"),
    "change": pgettext_lazy("action in the log", "change"),
    "change-seats": pgettext_lazy("action in the log", "change-seats"),
    "close": pgettext_lazy("action in the log", "close"),
    "close-early": pgettext_lazy("action in the log", "close-early"),
    "commentary": pgettext_lazy("action in the log", "commentary"),
    "commentator": pgettext_lazy("action in the log", "commentator"),
    "commentator-off": pgettext_lazy("action in the log", "commentator-off"),
    "confirm": pgettext_lazy("action in the log", "confirm"),
    "correct": pgettext_lazy("action in the log", "correct"),
    "create": pgettext_lazy("action in the log", "create"),
    "demo-season": pgettext_lazy("action in the log", "demo-season"),
    "desk-sign-in": pgettext_lazy("action in the log", "desk-sign-in"),
    "cut-left": pgettext_lazy("action in the log", "cut-left"),
    "desk-signed-in": pgettext_lazy("action in the log", "desk-signed-in"),
    "draw-dropped": pgettext_lazy("action in the log", "draw-dropped"),
    "enter": pgettext_lazy("action in the log", "enter"),
    "enter-late": pgettext_lazy("action in the log", "enter-late"),
    "export": pgettext_lazy("action in the log", "export"),
    "format": pgettext_lazy("action in the log", "format"),
    "import": pgettext_lazy("action in the log", "import"),
    "invite": pgettext_lazy("action in the log", "invite"),
    "invite-off": pgettext_lazy("action in the log", "invite-off"),
    "lock": pgettext_lazy("action in the log", "lock"),
    "keep-days": pgettext_lazy("action in the log", "keep-days"),
    "mail-seats": pgettext_lazy("action in the log", "mail-seats"),
    "moved-up": pgettext_lazy("action in the log", "moved-up"),
    "needs": pgettext_lazy("action in the log", "needs"),
    "organizer": pgettext_lazy("action in the log", "organizer"),
    "organizer-account": pgettext_lazy("action in the log", "organizer-account"),
    "paper": pgettext_lazy("action in the log", "paper"),
    "paused": pgettext_lazy("action in the log", "paused"),
    "playoff": pgettext_lazy("action in the log", "playoff"),
    "playoff-off": pgettext_lazy("action in the log", "playoff-off"),
    "publish": pgettext_lazy("action in the log", "publish"),
    "publish-event": pgettext_lazy("action in the log", "publish-event"),
    "purge": pgettext_lazy("action in the log", "purge"),
    "qualify": pgettext_lazy("action in the log", "qualify"),
    "redo-hand": pgettext_lazy("action in the log", "redo-hand"),
    "refuse": pgettext_lazy("action in the log", "refuse"),
    "rename": pgettext_lazy("action in the log", "rename"),
    "remove-stage": pgettext_lazy("action in the log", "remove-stage"),
    "reopen": pgettext_lazy("action in the log", "reopen"),
    "reopen-round": pgettext_lazy("action in the log", "reopen-round"),
    "repair-seats": pgettext_lazy("action in the log", "repair-seats"),
    "report": pgettext_lazy("action in the log", "report"),
    "report-answer": pgettext_lazy("action in the log", "report-answer"),
    "resumed": pgettext_lazy("action in the log", "resumed"),
    "rules": pgettext_lazy("action in the log", "rules"),
    "role": pgettext_lazy("action in the log", "role"),
    "role-off": pgettext_lazy("action in the log", "role-off"),
    "ruling": pgettext_lazy("action in the log", "ruling"),
    "ruling-off": pgettext_lazy("action in the log", "ruling-off"),
    "seat": pgettext_lazy("action in the log", "seat"),
    "second-factor": pgettext_lazy("action in the log", "second-factor"),
    "second-person": pgettext_lazy("action in the log", "second-person"),
    "start": pgettext_lazy("action in the log", "start"),
    "student": pgettext_lazy("action in the log", "student"),
    "take-out": pgettext_lazy("action in the log", "take-out"),
    "time": pgettext_lazy("action in the log", "time"),
    "undo": pgettext_lazy("action in the log", "undo"),
    "undo-import": pgettext_lazy("action in the log", "undo-import"),
    "undo-qualify": pgettext_lazy("action in the log", "undo-qualify"),
    "unlock": pgettext_lazy("action in the log", "unlock"),
    "unpublish": pgettext_lazy("action in the log", "unpublish"),
    "unstart": pgettext_lazy("action in the log", "unstart"),
    "winner": pgettext_lazy("action in the log", "winner"),
    "withdraw": pgettext_lazy("action in the log", "withdraw"),
}


class LogForm(forms.Form):
    """What to narrow the log to: only what this event's log has can be chosen."""

    person = forms.ChoiceField(label=gettext_lazy("Who"), required=False)
    action = forms.ChoiceField(label=gettext_lazy("What"), required=False)
    part = forms.ChoiceField(label=gettext_lazy("Round or table"), required=False)
    player = forms.ChoiceField(label=gettext_lazy("Player"), required=False)
    since = forms.DateTimeField(label=gettext_lazy("From"), required=False, widget=MOMENT)
    until = forms.DateTimeField(label=gettext_lazy("Before"), required=False, widget=MOMENT)
    q = forms.CharField(label=gettext_lazy("Words"), required=False, max_length=80)

    def __init__(self, event: Event, data: Any) -> None:
        super().__init__(data)
        self.parts = {_key(part): part for part in read.parts(event)}
        self.players = {str(row.pk): row for row in event.registrations.order_by("name")}
        nobody = [("site", _("the site"))]
        self._offer("person", [*read.actors(event), *nobody])
        self._offer("action", [(key, str(ACTIONS.get(key, key))) for key in read.actions(event)])
        self._offer("part", [(key, str(part)) for key, part in self.parts.items()])
        self._offer("player", [(key, row.name) for key, row in self.players.items()])

    def _offer(self, name: str, choices: Sequence[tuple[str, str]]) -> None:
        field = self.fields[name]
        assert isinstance(field, forms.ChoiceField)
        field.choices = [("", "–"), *choices]

    def narrowed(self) -> read.Narrowed:
        """What is asked for; a field that cannot be read narrows nothing."""
        self.is_valid()
        given = {name: self.cleaned_data.get(name) for name in self.fields}
        return read.Narrowed(
            person=given["person"] or "",
            action=given["action"] or "",
            part=self.parts.get(given["part"] or ""),
            player=self.players.get(given["player"] or ""),
            since=given["since"],
            until=given["until"],
            words=given["q"] or "",
        )


def _key(part: Round | Table) -> str:
    """The key of a round or table in the address."""
    return f"{'round' if isinstance(part, Round) else 'table'}-{part.pk}"


class LogPage(EventPage):
    """Who did what, when to the second, what was before and after, and why; nobody changes it."""

    title = gettext_lazy("Log")
    tab = "log"
    template_name = "admin/event/log.html"
    sees = "see_log"

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        form = LogForm(self.event, self.request.GET)
        found = read.entries(self.event, form.narrowed())
        page = Paginator(found, PER_PAGE).get_page(self.request.GET.get("page"))
        return super().get_context_data(
            form=form,
            page=page,
            rows=[told(entry) for entry in page],
            narrowed=bool(self.request.GET.keys() - {"page"}),
            **kwargs,
        )


def told(entry: AuditEntry) -> dict[str, object]:
    """An entry as a row of a page."""
    return {
        "entry": entry,
        "what": ACTIONS.get(entry.action, entry.action),
        "changes": read.changed(entry.data, _("points")),
        "at": timezone.localtime(entry.at).replace(tzinfo=None, microsecond=0).isoformat(),
    }


class StoodPage(EventPage):
    """The event as it stood at a moment that is asked for; without one, as it stands now."""

    title = gettext_lazy("As it stood")
    tab = "log"
    template_name = "admin/event/stood.html"
    sees = "see_log"

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        asked = self.request.GET.get("at", "")
        moment = _moment(asked) if asked else timezone.now()
        if moment is None:
            messages.error(self.request, _("Give a day and a time that have been, to the second."))
            moment = timezone.now()
        stood = as_it_stood(self.event, moment)
        return super().get_context_data(
            stood=stood,
            given=timezone.localtime(moment).replace(tzinfo=None, microsecond=0).isoformat(),
            rows=[told(entry) for entry in stood.latest],
            **kwargs,
        )


def _moment(asked: str) -> datetime | None:
    """The moment in the site's zone, at the end of its second; None for none, or one to come."""
    try:
        given = datetime.fromisoformat(asked).replace(tzinfo=timezone.get_current_timezone())
    except ValueError:
        return None
    moment = given.replace(microsecond=999_999)
    return moment if given <= timezone.now() else None
