"""Import of a whole event from its file, as a new event or as one that returns."""

import secrets
from collections import deque
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from typing import IO, Any

from allauth.account.models import EmailAddress
from django.core.exceptions import ObjectDoesNotExist, ValidationError
from django.db import DataError, IntegrityError, transaction
from django.db.models import Model
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.queries import site_key
from games.rules.clusters import shorten
from games.rules.fair.signatures import shorten_key
from tournament.common.refusals import RefusedError
from tournament.exports.transfer import append_only
from tournament.exports.transfer.cells import UNREADABLE, value_of
from tournament.exports.transfer.contents import (  # fmt: skip
    CHUNK,
    PARTS,
    PEOPLE,
    BundlePart,
    columns,
    matches_of,
    user_fields,
)
from tournament.exports.transfer.differences import differences, weigh_results
from tournament.exports.transfer.keys import count_apart
from tournament.models import (
    AuditEntry,
    DeletedEvent,
    Event,
    EventRole,
    LogAction,
    Proposal,
    Registration,
    Role,
    User,
)  # fmt: skip
from tournament.oversight.audit import record
from tournament.oversight.chains import HISTORY
from tournament.oversight.desk_log import log_state
from tournament.oversight.history_texts import history_of
from tournament.pure.bundle import Bundle, Fields, InvalidBundleError, open_bundle
from tournament.pure.chain import Facts
from tournament.pure.codes import Code
from tournament.rounds.devices import recorded_devices
from tournament.seating.lots import lots
from tournament.stages.outdated_cuts import outdated_cut
from tournament.stages.outdated_draws import list_outdated_draws

_DAMAGED = gettext_lazy("The file is damaged. Download it again.")
# Accounts' keys by what the file calls them.
People = Mapping[int, int]


def bring_event(content: IO[bytes], actor: User) -> Event:
    """Store the event of the file in one transaction, to be run on this site.

    Refused with: damaged, foreign, newer, big, slug, taken, here, copy, own, older, diverged,
    forged.
    """
    try:
        with transaction.atomic():
            return _bring_event(open_bundle(content), actor)
    except InvalidBundleError as bad:
        raise RefusedError(bad.code, bad.sentence) from bad
    except (IntegrityError, DataError, ValidationError, ObjectDoesNotExist, *UNREADABLE) as error:
        raise RefusedError(Code.DAMAGED, str(_DAMAGED)) from error


def _bring_event(bundle: Bundle, actor: User) -> Event:
    head = bundle.head
    known = Event.objects.select_for_update().filter(identity=head["identity"]).first()
    left = weigh_results(known) if known else None
    if known is None:
        _check_new(bundle)
        people = _match_people(bundle)
        _store(bundle, people, PARTS, {})
        event = Event.objects.get(identity=head["identity"])
        event.brought = [[1, event.history.count()]]
    else:
        _check_returns(known, bundle)
        kept = known.history.count()
        people = _match_people(bundle)
        _remove_local_text(known, bundle, people)
        _replace(known, bundle, people)
        event = Event.objects.get(pk=known.pk)
        event.brought = [*known.brought, [kept + 1, event.history.count()]]
    _check_whole(event, bundle)
    _check_chain(event, head)
    _check_facts(event)
    event.save(update_fields=["brought"])
    count_apart([part.model for part in PARTS if known is None or part.model is not Event])
    _give_role(event, actor)
    _record_import(event, actor, differences(left, weigh_results(event)) if left else {})
    return event


def _record_import(event: Event, actor: User, others: Mapping[str, int]) -> None:
    """Record the import of the event.

    `others` counts the changes in a returning event since it left.
    """

    def describe_arrival() -> str:
        return _("Imported the event from another server (move {n}).").format(n=event.journey)

    here = {"journey": event.journey, "site": site_key()}
    record(event, actor, LogAction.CARRY_IN, describe_arrival, "", **here, **others)


def _check_new(bundle: Bundle) -> None:
    if Event.objects.filter(slug=bundle.head["slug"]).exists():
        text = _(
            "Another event here already has the web address “{slug}”. Change that event’s "
            "address first."
        )
        raise RefusedError(Code.SLUG, text.format(slug=bundle.head["slug"]))
    for part in PARTS:
        keys = (row.get("id") for row in bundle.rows(part.name))
        if _is_taken(part.model, keys):
            text = _(
                "This site already uses some of that event’s ID numbers for something else. "
                "Import the event into a site whose database is still empty "
                "(docs/moving-an-event.md)."
            )
            raise RefusedError(Code.TAKEN, text)


def _is_taken(model: type[Model], keys: Iterable[Any]) -> bool:
    rows = model._default_manager
    gone = DeletedEvent.objects if model is Event else DeletedEvent.objects.none()
    return any(
        rows.filter(pk__in=some).exists() or gone.filter(number__in=some).exists()
        for some in _split_into_chunks(keys)
    )


def _split_into_chunks(rows: Iterable[Any]) -> Iterator[list[Any]]:
    rows = iter(rows)
    while some := list(islice(rows, CHUNK)):
        yield some


def _check_returns(known: Event, bundle: Bundle) -> None:
    head = bundle.head
    if not head.get("moved"):
        raise RefusedError(
            Code.COPY, _("The event is already here, and this file is only a copy of it.")
        )
    if not known.away_since:
        raise RefusedError(
            Code.HERE, _("The event is already here, and has not been moved to another server.")
        )
    if head["journey"] == known.journey:
        text = _(
            "This is the file that was used to move the event to the other server. Import "
            "the file from that server instead."
        )
        raise RefusedError(Code.OWN, text)
    if head["journey"] < known.journey:
        raise RefusedError(Code.OLDER, _("This file is older than the data here."))
    _check_same_beginning(known, bundle)


def _check_same_beginning(known: Event, bundle: Bundle) -> None:
    """Check that the file's history continues the local one.

    The history published here must be at its beginning, row by row.
    """
    history, log = (bundle.rows(each._meta.label_lower) for each in append_only.GROWN)
    if not append_only.has_same_beginning(known, history, log):
        text = _(
            "The event history in the file differs from the one here: the event was run in "
            "both places."
        )
        raise RefusedError(Code.DIVERGED, text)


def _remove_local_text(known: Event, bundle: Bundle, people: People) -> None:
    history, log = (bundle.rows(each._meta.label_lower) for each in append_only.GROWN)
    part = next(each for each in PARTS if each.model is AuditEntry)
    append_only.remove_text(known, history, (_make_row(part, fields, people) for fields in log))


def _check_whole(event: Event, bundle: Bundle) -> None:
    """Check that every imported row belongs to this event and refers to no other."""
    matches = matches_of(event)
    for part in PARTS:
        if part.of(event, matches).count() != sum(1 for _make_row in bundle.rows(part.name)):
            raise InvalidBundleError(Code.DAMAGED, str(_DAMAGED))


def _check_chain(event: Event, head: Fields) -> None:
    entries = list(event.history.order_by("number"))
    ends = entries[-1].digest if entries else head["head"]
    broken = HISTORY.find_broken(entries)
    log = log_state(event)
    holds = log.broken is None and not log.cut and log.head == head.get("log", log.head)
    if broken is not None or ends != head["head"] or not holds:
        raise RefusedError(Code.FORGED, _("The event history in the file has been altered."))


def _check_facts(event: Event) -> None:
    """Parse the facts of the imported rows once before the rows are kept.

    A forged file can also have a valid chain, so the chain alone proves nothing.

    Raises UNREADABLE or ObjectDoesNotExist if the site could not continue from these facts.
    """
    if history_of(event, list(event.history.order_by("number"))).unreadable:
        raise InvalidBundleError(Code.DAMAGED, str(_DAMAGED))
    for keys in recorded_devices(event).values():
        deque(map(shorten_key, keys), maxlen=0)
    lots(event)
    outdated_cut(event)
    list_outdated_draws(event)


def _replace(known: Event, bundle: Bundle, people: People) -> None:
    """Replace everything of the event except its own row, its history and its log.

    The event's row is updated; history and log only grow.
    """
    matches = matches_of(known)
    for part in reversed(PARTS):
        if part.model not in (Event, *append_only.GROWN):
            keys = list(part.of(known, matches).values_list("pk", flat=True))
            for some in _split_into_chunks(keys):
                part.model._default_manager.filter(pk__in=some).delete()
    kept = append_only.count_rows(known)
    first, *others = PARTS
    [row] = [_make_row(first, fields, people) for fields in bundle.rows(first.name)]
    row.pk = known.pk
    row.save_base(raw=True, force_update=True)
    _store(bundle, people, others, kept)


def _store(
    bundle: Bundle,
    people: People,
    parts: Iterable[BundlePart],
    stored_counts: Mapping[type[Model], int],
) -> None:
    """Store the rows of these parts.

    For each kind, the first `stored_counts` rows are skipped, because they are already here.
    """
    for part in parts:
        told = islice(bundle.rows(part.name), stored_counts.get(part.model, 0), None)
        rows: Iterator[Any] = (_make_row(part, fields, people) for fields in told)
        if part.model is AuditEntry:
            rows = append_only.chain_rows(Event.objects.get(identity=bundle.head["identity"]), rows)
        for some in _split_into_chunks(rows):
            _insert(part.model, some)


def _insert(model: type[Model], rows: list[Any]) -> None:
    if any(getattr(field, "auto_now_add", False) for field in columns(model)):
        # An `auto_now_add` column keeps the file's time only this way.
        for row in rows:
            row.save_base(raw=True, force_insert=True)
    else:
        model._default_manager.bulk_create(rows)


def _make_row(part: BundlePart, fields: Fields, people: People) -> Any:
    """Build the row from its columns; columns missing in the file keep their defaults."""
    known = {field.attname: field for field in columns(part.model)}
    if unknown := fields.keys() - known.keys():
        text = _("The file comes from a newer version of the site (“{field}” is unknown here).")
        raise InvalidBundleError(Code.NEWER, text.format(field=min(unknown)))
    try:
        values: Fields = {name: value_of(known[name], told) for name, told in fields.items()}
    except UNREADABLE as error:
        raise InvalidBundleError(Code.DAMAGED, str(_DAMAGED)) from error
    users = {name: people[values[name]] for name in user_fields(part.model) if values.get(name)}
    naming = _NAMING.get(part.model, "")
    named = {naming: _rename_people(values[naming], people)} if naming in values else {}
    return part.model(**{**values, **users, **named})


# Columns whose JSON names an account under "user".
_NAMING: Mapping[type[Model], str] = {Proposal: "facts", AuditEntry: "data"}


def _rename_people(facts: Facts, people: People) -> Facts:
    return {**facts, "user": people.get(facts["user"])} if "user" in facts else facts


def _match_people(bundle: Bundle) -> People:
    """Return the accounts by address, creating missing ones without a password."""
    players = {row.get("user_id") for row in bundle.rows(Registration._meta.label_lower)}
    found = {}
    for told in bundle.rows(PEOPLE):
        email = User.objects.normalize_email(told["email"])
        user = User.objects.filter(email=email).first()
        found[told["pk"]] = (
            user or _make_placeholder_account(email, told, plays=told["pk"] in players)
        ).pk
    return found


def _make_placeholder_account(email: str, fields: Fields, *, plays: bool) -> User:
    """Create a placeholder account.

    Players sign in with a code from the desk or by email. For everyone else the account is
    inactive.
    """
    user = User(
        username=f"brought-{secrets.token_hex(8)}",
        email=email,
        display_name=shorten(str(fields["name"]), 40),
        is_active=plays,
    )
    user.set_unusable_password()
    user.save()
    EmailAddress.objects.create(user=user, email=email, verified=False, primary=True)
    return user


def _give_role(event: Event, actor: User) -> None:
    """Give the user who imports an event the role of owner here."""
    if not actor.is_superuser:
        EventRole.objects.get_or_create(event=event, user=actor, role=Role.OWNER)
