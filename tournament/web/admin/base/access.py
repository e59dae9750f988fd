"""Rights of an event's staff at the desk, according to their roles."""

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


def staff_event_or_404(request: HttpRequest, event_id: int) -> Event:
    """Return the event if the user has a role in it.

    Raises Http404 for all other users.
    """
    event = Event.objects.filter(pk=event_id).first()
    if event is None or not may(request, event, "see"):
        raise Http404("No such event among those that you have a role in.")
    timezone.activate(event.zone)
    return event


def list_rights(request: HttpRequest, event: Event) -> dict[str, bool]:
    """Map each right to whether the user has it in the event."""
    own_roles = _load_roles(request).get(event.pk, frozenset())
    return rights_table.list_rights(own_roles | _find_global_roles(request.user))


def may(request: HttpRequest, event: Event | None, right: str) -> bool:
    """Return whether the user has this right in the event.

    If `event` is None, return whether the user has it in any event.
    """
    global_roles = _find_global_roles(request.user)
    if event is not None:
        return rights_table.may(
            _load_roles(request).get(event.pk, frozenset()) | global_roles, right
        )
    return rights_table.may(global_roles, right) or any(
        rights_table.may(roles, right) for roles in _load_roles(request).values()
    )


def _load_roles(request: Any) -> dict[int, frozenset[str]]:
    """Return the user's roles by event.

    They are cached on the request, because each page needs them once per model.
    """
    if not hasattr(request, "_roles"):
        request._roles = roles_by_event(request.user)
    roles: dict[int, frozenset[str]] = request._roles
    return roles


def _find_global_roles(user: Any) -> frozenset[str]:
    """Return the roles that the user has in every event. Superusers own all events."""
    return frozenset({rights_table.OWNER}) if is_staff(user) and user.is_superuser else frozenset()


class CheckedForm(AnyForm):
    """Form that also runs a service's check, and shows a refusal as an error.

    * `check_with`: the check, which raises RefusedError.
    * `fields_of`: the field at which a refusal is shown, by the refusal's code.
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
            # The setting at fault may be in another form, in which case this form lacks the field.
            self.add_error(field if field in self.fields else None, refused.sentence)


class OrganizedAdmin(AnyAdmin):
    """Admin for rows of events, limited to users with a role in the event.

    * `event_path`: the lookup from a row to its event.
    * `view_right`, `change_right`: the rights to view and change rows (pure/rights_table.py).

    `get_queryset` limits the rows. All pages of the admin load their rows with it.
    """

    event_path = "event"
    view_right = "see"
    change_right = rights_table.RUN

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        return self.rows_for(super().get_queryset(request), request, self.view_right)

    def rows_for(self, rows: QuerySet[Any], request: HttpRequest, right: str) -> QuerySet[Any]:
        """Return the rows of events in which the user has this right."""
        return rows.filter(**{f"{self.event_path}__in": events_for(request.user, right)})

    def event_of(self, row: Any) -> Event:
        """Return the event to which the row belongs."""
        event: Event = row if self.event_path == "pk" else row.event
        return event

    def may(self, request: HttpRequest, row: Any, right: str) -> bool:
        """Return whether the user has this right for the row, or for any row if it is None."""
        return may(request, None if row is None else self.event_of(row), right)

    def response_action(
        self, request: HttpRequest, queryset: QuerySet[Any], *args: Any, **kwargs: Any
    ) -> Any:
        """Run an action for the rows that the user may change."""
        changeable = self.rows_for(queryset, request, self.change_right)
        return super().response_action(request, changeable, *args, **kwargs)

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        with outbox() as box:
            try:
                response = super().changeform_view(request, *args, **kwargs)
            except RefusedError as refused:
                # The data changed between validation and saving.
                messages.error(request, refused.sentence)
                response = redirect(request.get_full_path())
        if box.sentence:
            messages.warning(request, box.sentence)
        return response

    def has_module_permission(self, request: HttpRequest) -> bool:
        return may(request, None, self.view_right)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return self.may(request, obj, self.view_right)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return self.may(request, obj, self.change_right)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False
