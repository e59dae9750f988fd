"""Who may see and change what: organizers their own events, superusers all of them."""

from collections.abc import Callable
from typing import Any, ClassVar

from django.contrib import messages
from django.db.models import Model, QuerySet
from django.http import Http404, HttpRequest
from django.shortcuts import redirect

from tournament.admin.generic import AnyAdmin, AnyForm
from tournament.models import Event, User
from tournament.services import Refused
from tournament.services.notices import outbox


def organized_events(user: Any) -> QuerySet[Event]:
    """The events that this person may run."""
    events = Event.objects.all()
    if not isinstance(user, User) or not (user.is_active and user.is_staff):
        return events.none()
    return events if user.is_superuser else events.filter(organizers=user)


def organizes(user: Any) -> bool:
    """Whether there is any such event; asked for every model on every page, so it is kept."""
    if not hasattr(user, "_organizes"):
        user._organizes = organized_events(user).exists()
    return bool(user._organizes)


def organized_event(user: Any, event_id: int) -> Event:
    """The event, or 404 as for one that does not exist."""
    event = organized_events(user).filter(pk=event_id).first()
    if event is None:
        raise Http404("No such event among those that you organize.")
    return event


class CheckedForm(AnyForm):
    """A form that asks a service's check as well, so that its sentence stands in the form.

    `check_with` raises Refused; `fields_of` names the field that a code belongs to.
    """

    check_with: ClassVar[Callable[[Any], None]]
    fields_of: dict[str, str] = {}

    def _post_clean(self) -> None:
        super()._post_clean()  # type: ignore[misc]
        if self.errors:
            return
        try:
            type(self).check_with(self.instance)
        except Refused as refused:
            self.add_error(self.fields_of.get(refused.code), refused.message)


class OrganizedAdmin(AnyAdmin):
    """Rows of events, for the organizers of these events. `event_path` leads to the event.

    `get_queryset` alone says whose rows they are: every page of the admin fetches its row by it, so
    that permissions need not look at the row again.
    """

    event_path = "event"

    def get_queryset(self, request: HttpRequest) -> QuerySet[Any]:
        mine = organized_events(request.user)
        return super().get_queryset(request).filter(**{f"{self.event_path}__in": mine})

    def changeform_view(self, request: HttpRequest, *args: Any, **kwargs: Any) -> Any:
        with outbox() as box:
            try:
                answer = super().changeform_view(request, *args, **kwargs)
            except Refused as refused:
                # Something came between the form's check and saving it.
                messages.error(request, refused.message)
                answer = redirect(request.get_full_path())
        if box.sentence:
            messages.warning(request, box.sentence)
        return answer

    def has_module_permission(self, request: HttpRequest) -> bool:
        return organizes(request.user)

    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return self.has_module_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return self.has_module_permission(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return False
