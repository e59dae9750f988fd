"""Access to the desk: staff see and change their own events as far as their roles allow."""

from collections.abc import Callable
from typing import Any, ClassVar

from django.contrib import messages
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest
from django.shortcuts import redirect
from django.utils import timezone

from tournament.common.refusals import RefusedError
from tournament.mail.notices import outbox
from tournament.models import Event
from tournament.oversight.rights import events_for, is_staff, roles_by_event
from tournament.pure import rights_table
from tournament.web.admin.base.generic import AnyAdmin, AnyForm


def event_for(request: HttpRequest, event_id: int) -> Event:
    """Return the event if the user has a role in it.

    Raises Http404 for all other users.
    """
    event = Event.objects.filter(pk=event_id).first()
    if event is None or not may(request, event, "see"):
        raise Http404("No such event among those that you have a role in.")
    timezone.activate(event.zone)
    return event


def list_rights(request: HttpRequest, event: Event) -> dict[str, bool]:
    """Return which actions the user may perform in the event."""
    mine = _roles(request).get(event.pk, frozenset())
    return rights_table.list_rights(mine | _find_global_roles(request.user))


def may(request: HttpRequest, event: Event | None, deed: str) -> bool:
    """Return whether the user may do this in the event, or in any event if `event` is None."""
    everywhere = _find_global_roles(request.user)
    if event is not None:
        return rights_table.may(_roles(request).get(event.pk, frozenset()) | everywhere, deed)
    return rights_table.may(everywhere, deed) or any(
        rights_table.may(roles, deed) for roles in _roles(request).values()
    )


def _roles(request: Any) -> dict[int, frozenset[str]]:
    """Return the user's roles by event.

    They are cached on the request, because every page asks for them once per model.
    """
    if not hasattr(request, "_roles"):
        request._roles = roles_by_event(request.user)
    roles: dict[int, frozenset[str]] = request._roles
    return roles


def _find_global_roles(user: Any) -> frozenset[str]:
    """Return the roles that the user has in every event; superusers own all of them."""
    return frozenset({rights_table.OWNER}) if is_staff(user) and user.is_superuser else frozenset()


class CheckedForm(AnyForm):
    """Form that also runs a service's check and shows its refusal as a form error.

    `check_with` raises RefusedError. `fields_of` names the field to which a code belongs.
    """

    check_with: ClassVar[Callable[[Any], None]]
    fields_of: dict[str, str] = {}

    def _post_clean(self) -> None:
        super()._post_clean()  # type: ignore[misc]
        if self.errors:
            return
        try:
            type(self).check_with(self.instance)
        except RefusedError as refused:
            field = self.fields_of.get(refused.code)
            # A form with only some fields may lack the field for a problem caused elsewhere.
            self.add_error(field if field in self.fields else None, refused.sentence)


class OrganizedAdmin(AnyAdmin):
    """Admin of rows of events, for users with a role there. `event_path` leads to the event.

    `sees` and `changes` are the rights (pure/rights_table.py) needed to view and to change rows.
    `get_queryset` limits the visible rows, and every page of the admin fetches its row through it.
    """

    event_path = "event"
    sees = "see"
    changes = rights_table.RUN

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return self.rows_for(super().get_queryset(request), request, self.sees)

    def rows_for(self, rows: QuerySet[Any], request: HttpRequest, deed: str) -> QuerySet[Any]:
        """Return the rows of the events in which the user may do this."""
        return rows.filter(**{f"{self.event_path}__in": events_for(request.user, deed)})

    def event_of(self, row: Any) -> Event:
        """Return the event to which the row belongs."""
        event: Event = row if self.event_path == "pk" else row.event
        return event

    def may(self, request: HttpRequest, row: Any, deed: str) -> bool:
        """Return whether the user may do this to the row, or to any row if `row` is None."""
        return may(request, None if row is None else self.event_of(row), deed)

    def response_action(
        self, request: HttpRequest, queryset: QuerySet[Any], *args: Any, **kwargs: Any
    ) -> Any:
        """Apply an action only to the rows that the user may change."""
        mine = self.rows_for(queryset, request, self.changes)
        return super().response_action(request, mine, *args, **kwargs)

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        with outbox() as box:
            try:
                answer = super().changeform_view(request, *args, **kwargs)
            except RefusedError as refused:
                # Something came between the form's check and saving it.
                messages.error(request, refused.sentence)
                answer = redirect(request.get_full_path())
        if box.sentence:
            messages.warning(request, box.sentence)
        return answer

    def has_module_permission(self, request: HttpRequest) -> bool:
        return may(request, None, self.sees)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return self.may(request, obj, self.sees)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return self.may(request, obj, self.changes)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False
