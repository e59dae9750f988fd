"""What organizers did: read only."""

from collections.abc import Iterator
from typing import Any

from django.contrib import admin
from django.http import HttpRequest
from django.utils.html import format_html, format_html_join
from django.utils.translation import gettext_lazy, pgettext_lazy

from tournament.admin.registrations import EventFilter, EventListAdmin
from tournament.models import AuditEntry
from tournament.moments import second_text

ACTIONS = {
    "abandon": pgettext_lazy("action in the log", "abandon"),
    "answer": pgettext_lazy("action in the log", "answer"),
    "approve": pgettext_lazy("action in the log", "approve"),
    "ask": pgettext_lazy("action in the log", "ask"),
    "carry-break": pgettext_lazy("action in the log", "carry-break"),
    "carry-in": pgettext_lazy("action in the log", "carry-in"),
    "carry-out": pgettext_lazy("action in the log", "carry-out"),
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
    "import": pgettext_lazy("action in the log", "import"),
    "invite": pgettext_lazy("action in the log", "invite"),
    "invite-off": pgettext_lazy("action in the log", "invite-off"),
    "lock": pgettext_lazy("action in the log", "lock"),
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
    "qualify": pgettext_lazy("action in the log", "qualify"),
    "redo-hand": pgettext_lazy("action in the log", "redo-hand"),
    "refuse": pgettext_lazy("action in the log", "refuse"),
    "rename": pgettext_lazy("action in the log", "rename"),
    "reopen": pgettext_lazy("action in the log", "reopen"),
    "reopen-round": pgettext_lazy("action in the log", "reopen-round"),
    "repair-seats": pgettext_lazy("action in the log", "repair-seats"),
    "resumed": pgettext_lazy("action in the log", "resumed"),
    "rules": pgettext_lazy("action in the log", "rules"),
    "role": pgettext_lazy("action in the log", "role"),
    "role-off": pgettext_lazy("action in the log", "role-off"),
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


class ActionFilter(admin.AllValuesFieldListFilter):
    """The actions that the log has, in words."""

    def choices(self, changelist: Any) -> Iterator[Any]:
        for choice in super().choices(changelist):
            told = choice["display"]
            yield {**choice, "display": ACTIONS.get(str(told), told)}


@admin.register(AuditEntry)
class AuditEntryAdmin(EventListAdmin):
    """Who did what, when and why. Nobody changes it, superusers neither."""

    tab = "log"
    sees = "see_log"
    list_display = ["moment", "actor", "what", "reason"]
    list_filter = [("action", ActionFilter), ("event", EventFilter)]
    search_fields = ["text", "reason", "actor__email", "actor__display_name"]
    list_select_related = ["actor"]
    list_per_page = 100
    empty_value_display = ""
    date_hierarchy = "at"

    @admin.display(description=gettext_lazy("when"), ordering="pk")
    def moment(self, entry: AuditEntry) -> str:
        return second_text(entry.at)

    @admin.display(description=gettext_lazy("what"), ordering="text")
    def what(self, entry: AuditEntry) -> str:
        """The sentence, and below it each changed field: what it was, what it is."""
        rows = [(c["field"], c["before"], c["after"]) for c in entry.data.get("changes", [])]
        return format_html("{}{}", entry.text, format_html_join("", "<br>{}: {} → {}", rows))

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
