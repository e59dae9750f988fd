"""Rehearsals: copies of an event with bots, in which organizers practise.

A rehearsal is deleted when it ends, and leaves no trace in the event.
"""

from django.db import transaction
from django.utils import timezone
from django.utils.crypto import get_random_string
from django.utils.translation import gettext as _

from games import services as games
from games.models import Match
from games.rules.clusters import shorten
from tournament.common.language import use_site_language
from tournament.common.locks import lock_event
from tournament.common.refusals import RefusedError
from tournament.events.copying import CopyOptions, copy_event
from tournament.exports.transfer.contents import PARTS, matches_of
from tournament.models import Event, Registration, User
from tournament.models.people import NO_MAILBOX
from tournament.oversight.public_history import record_deletion
from tournament.pure.codes import Code
from tournament.stages.outline import estimate_players

# Maximum number of bots. A single process can play them all.
MAX_BOTS = 120


@transaction.atomic
def create_rehearsal(event: Event, actor: User) -> Event:
    """Create the event's rehearsal, with as many bots as players are expected.

    It is published and ready for seating. An existing rehearsal is returned unchanged. Raises
    RefusedError with the code `rehearsal`, or like `check_event`.
    """
    event = lock_event(event)
    if event.rehearsal_of_id is not None:
        raise RefusedError(Code.REHEARSAL, _("This is already the rehearsal."))
    if existing := Event.objects.filter(rehearsal_of=event).first():
        return existing
    with use_site_language():
        title = shorten(_("Rehearsal: {event}").format(event=event), 120)
    rehearsal = copy_event(event, actor, CopyOptions(title))
    rehearsal.rehearsal_of, rehearsal.state = event, Event.State.OPEN
    # The bots are on no eligibility list, and cannot check in or be approved.
    rehearsal.eligibility_required = rehearsal.check_in = rehearsal.requires_approval = False
    rehearsal.capacity, rehearsal.viewers = None, Match.Viewers.HAND
    rehearsal.second_person = Event.SecondPerson.OFF
    rehearsal.save()
    _add_bots(rehearsal, min(MAX_BOTS, estimate_players(event)))
    return rehearsal


def _add_bots(event: Event, players: int) -> None:
    people = User.objects.bulk_create(_make_bot_account(number) for number in range(1, players + 1))
    Registration.objects.bulk_create(
        _make_registration(event, user, number) for number, user in enumerate(people, 1)
    )


def _make_bot_account(number: int) -> User:
    """Create an account for a bot of one rehearsal, without any way to sign in."""
    token = get_random_string(20).lower()
    user = User(
        username=f"rehearsal-{token}",
        email=f"{token}{NO_MAILBOX}",
        display_name=f"Bot {number:03}",
        is_active=False,
    )
    user.set_unusable_password()
    return user


def _make_registration(event: Event, user: User, number: int) -> Registration:
    return Registration(
        event=event,
        user=user,
        name=user.display_name,
        state=Registration.State.APPROVED,
        queue_number=number,
        registered_at=timezone.now(),
    )


def end_rehearsal(rehearsal: Event) -> Event:
    """Delete the rehearsal and return the original event.

    Raises RefusedError with the code `real` if it is not a rehearsal.
    """
    if (event := rehearsal.rehearsal_of) is None:
        raise RefusedError(Code.REAL, _("This is the real event, not a rehearsal."))
    # Matches are abandoned in separate transactions first, so that tables do not change while they
    # are being deleted.
    for match in Match.objects.filter(pk__in=matches_of(rehearsal)).exclude(phase=Match.Phase.OVER):
        games.abandon_match(match, "")
    _delete_rehearsal(rehearsal)
    return event


@transaction.atomic
def _delete_rehearsal(event: Event) -> None:
    event = lock_event(event)
    people = list(event.registrations.values_list("user_id", flat=True))
    matches = matches_of(event)
    record_deletion(event)
    event.forecasts.all().delete()
    event.letters.all().delete()
    for part in reversed(PARTS):
        part.select(event, matches).delete()
    User.objects.filter(pk__in=people, is_active=False, username__startswith="rehearsal-").delete()
