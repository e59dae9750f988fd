"""Erasing a person from the whole site: from all events, and with the account."""

from django.db import transaction
from django.db.models import ProtectedError, Q
from django.utils.translation import gettext as _

from tournament.common.locks import lock_event
from tournament.common.refusals import RefusedError
from tournament.models import EligibleStudent, Event, User
from tournament.privacy.accounts import forget_account
from tournament.privacy.known import list_identifying_words
from tournament.privacy.scrubbing import Scrubber, scrub_event, scrub_site
from tournament.privacy.services import anonymize_in_event, check_not_playing, forget_people
from tournament.pure.codes import Code


@transaction.atomic
def forget_person(account: User) -> list[str]:
    """Anonymize the person everywhere, and delete the account.

    Returns the words that identified the person. None of them remains in the database. Raises
    RefusedError with the code `staff`, `away` or `playing`, without any change.
    """
    if account.is_staff or account.is_superuser or account.roles.exists():
        raise RefusedError(Code.STAFF, _("Remove this person’s roles and permissions first."))
    words = [*User.personal.words(account)]
    for event in _list_events(account):
        words += _forget_in_event(lock_event(event, settled=True), account)
    _delete_account(account)
    return [word for word in dict.fromkeys(words) if word]


def _list_events(account: User) -> list[Event]:
    """Return the events with a registration of the account, or with its address on their list."""
    concerned = Q(registrations__user=account) | Q(students__email__iexact=account.email)
    return list(Event.objects.filter(pk__in=Event.objects.filter(concerned).values("pk")))


def _forget_in_event(event: Event, account: User) -> list[str]:
    """Remove the person from the event, and return the words that identified them there."""
    words: list[str] = []
    for registration in event.registrations.filter(user=account).select_related("user", "student"):
        check_not_playing(registration)
        words += list_identifying_words(event, registration)
        anonymize_in_event(event, registration, None)
    lines = list(event.students.filter(email__iexact=account.email))
    words += [word for row in lines for word in EligibleStudent.personal.words(row)]
    if lines:
        forget_people(event, [], lines)
    return words


def _delete_account(account: User) -> None:
    """Delete the account, and remove its address from the remaining data.

    Names are not removed there, because other people may have the same name.
    """
    scrubber = Scrubber({account.email: "–"})
    for event in Event.objects.filter(away_since__isnull=True):
        scrub_event(event, scrubber)
    if remaining := User.objects.filter(pk=account.pk).first():
        try:
            forget_account(remaining)
        except ProtectedError:
            text = _(
                "This account appears as an organizer in the logs of events. Delete those "
                "events first."
            )
            raise RefusedError(Code.STAFF, text) from None
    scrub_site(scrubber)
