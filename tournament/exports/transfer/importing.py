"""Importing a whole event from its file. The event may be new here, or returning."""

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
from games.rules.fair.signatures import key_fingerprint
from tournament.common.refusals import RefusedError
from tournament.exports.transfer import append_only
from tournament.exports.transfer.cells import UNREADABLE, read_value
from tournament.exports.transfer.contents import (  # fmt: skip
    CHUNK,
    PARTS,
    PEOPLE,
    BundlePart,
    list_columns,
    matches_of,
    user_fields,
)
from tournament.exports.transfer.differences import collect_results, differences
from tournament.exports.transfer.keys import reserve_id_range
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
from tournament.oversight.desk_log import check_log
from tournament.oversight.history_texts import build_history
from tournament.pure.bundle import Bundle, Fields, InvalidBundleError, open_bundle
from tournament.pure.chain import Facts
from tournament.pure.codes import Code
from tournament.rounds.devices import load_recorded_keys
from tournament.seating.lots import list_lots
from tournament.stages.outdated_cuts import outdated_cut
from tournament.stages.outdated_draws import list_outdated_draws

_DAMAGED = gettext_lazy("The file is damaged. Download it again.")
# Maps account ids in the file to the ids of local accounts.
People = Mapping[int, int]


def import_event(content: IO[bytes], actor: User) -> Event:
    """Import the event in the file, in one transaction, to run it on this site.

    Raises RefusedError with the code `damaged`, `foreign`, `newer`, `big`, `slug`, `taken`,
    `here`, `copy`, `own`, `older`, `diverged` or `forged`.
    """
    try:
        with transaction.atomic():
            return _import_bundle(open_bundle(content), actor)
    except InvalidBundleError as invalid:
        raise RefusedError(invalid.code, invalid.sentence) from invalid
    except (IntegrityError, DataError, ValidationError, ObjectDoesNotExist, *UNREADABLE) as error:
        raise RefusedError(Code.DAMAGED, str(_DAMAGED)) from error


def _import_bundle(bundle: Bundle, actor: User) -> Event:
    head = bundle.head
    local = Event.objects.select_for_update().filter(identity=head["identity"]).first()
    results_before = collect_results(local) if local else None
    if local is None:
        _check_ids_are_free(bundle)
        people = _match_people(bundle)
        _store_parts(bundle, people, PARTS, {})
        event = Event.objects.get(identity=head["identity"])
        event.brought = [[1, event.history.count()]]
    else:
        _check_can_return(local, bundle)
        local_entries = local.history.count()
        people = _match_people(bundle)
        _remove_local_text(local, bundle, people)
        _replace_rows(local, bundle, people)
        event = Event.objects.get(pk=local.pk)
        event.brought = [*local.brought, [local_entries + 1, event.history.count()]]
    _check_rows_belong_to_event(event, bundle)
    _check_chain_is_intact(event, head)
    _check_facts_are_readable(event)
    event.save(update_fields=["brought"])
    reserve_id_range([part.model for part in PARTS if local is None or part.model is not Event])
    _make_owner(event, actor)
    _record_import(
        event, actor, differences(results_before, collect_results(event)) if results_before else {}
    )
    return event


def _record_import(event: Event, actor: User, changes: Mapping[str, int]) -> None:
    """Record the import of the event.

    `changes` contains the numbers of results and roles that have changed since the event left.
    """

    def describe_arrival() -> str:
        return _("Imported the event from another server (move {n}).").format(n=event.journey)

    facts = {"journey": event.journey, "site": site_key()}
    record(event, actor, LogAction.CARRY_IN, describe_arrival, "", **facts, **changes)


def _check_ids_are_free(bundle: Bundle) -> None:
    if Event.objects.filter(slug=bundle.head["slug"]).exists():
        text = _(
            "Another event here already has the web address “{slug}”. Change that event’s "
            "address first."
        )
        raise RefusedError(Code.SLUG, text.format(slug=bundle.head["slug"]))
    for part in PARTS:
        keys = (row.get("id") for row in bundle.rows(part.name))
        if _is_any_id_taken(part.model, keys):
            text = _(
                "This site already uses some of that event’s ID numbers for something else. "
                "Import the event into a site whose database is still empty "
                "(docs/moving-an-event.md)."
            )
            raise RefusedError(Code.TAKEN, text)


def _is_any_id_taken(model: type[Model], keys: Iterable[Any]) -> bool:
    rows = model._default_manager
    deleted = DeletedEvent.objects if model is Event else DeletedEvent.objects.none()
    return any(
        rows.filter(pk__in=chunk).exists() or deleted.filter(number__in=chunk).exists()
        for chunk in _split_into_chunks(keys)
    )


def _split_into_chunks(rows: Iterable[Any]) -> Iterator[list[Any]]:
    rows = iter(rows)
    while chunk := list(islice(rows, CHUNK)):
        yield chunk


def _check_can_return(local_event: Event, bundle: Bundle) -> None:
    head = bundle.head
    if not head.get("moved"):
        raise RefusedError(
            Code.COPY, _("The event is already here, and this file is only a copy of it.")
        )
    if not local_event.away_since:
        raise RefusedError(
            Code.HERE, _("The event is already here, and has not been moved to another server.")
        )
    if head["journey"] == local_event.journey:
        text = _(
            "This is the file that was used to move the event to the other server. Import "
            "the file from that server instead."
        )
        raise RefusedError(Code.OWN, text)
    if head["journey"] < local_event.journey:
        raise RefusedError(Code.OLDER, _("This file is older than the data here."))
    _check_same_beginning(local_event, bundle)


def _check_same_beginning(local_event: Event, bundle: Bundle) -> None:
    """Check that the history and log in the file begin with the rows that this site has."""
    history, log = (bundle.rows(each._meta.label_lower) for each in append_only.APPEND_ONLY)
    if not append_only.has_same_beginning(local_event, history, log):
        text = _(
            "The event history in the file differs from the one here: the event was run in "
            "both places."
        )
        raise RefusedError(Code.DIVERGED, text)


def _remove_local_text(local_event: Event, bundle: Bundle, people: People) -> None:
    history, log = (bundle.rows(each._meta.label_lower) for each in append_only.APPEND_ONLY)
    part = next(each for each in PARTS if each.model is AuditEntry)
    append_only.remove_text(
        local_event, history, (_make_row(part, fields, people) for fields in log)
    )


def _check_rows_belong_to_event(event: Event, bundle: Bundle) -> None:
    """Check that all imported rows belong to this event."""
    matches = matches_of(event)
    for part in PARTS:
        if part.select(event, matches).count() != sum(1 for _row in bundle.rows(part.name)):
            raise InvalidBundleError(Code.DAMAGED, str(_DAMAGED))


def _check_chain_is_intact(event: Event, head: Fields) -> None:
    entries = list(event.history.order_by("number"))
    last_digest = entries[-1].digest if entries else head["head"]
    broken_entry = HISTORY.find_broken_row(entries)
    log = check_log(event)
    is_log_valid = log.broken is None and not log.cut and log.head == head.get("log", log.head)
    if broken_entry is not None or last_digest != head["head"] or not is_log_valid:
        raise RefusedError(Code.FORGED, _("The event history in the file has been altered."))


def _check_facts_are_readable(event: Event) -> None:
    """Check that the facts of the imported rows can be read, before the import is committed.

    A valid hash chain does not guarantee this, because a forged file can have one. Raises
    InvalidBundleError, ObjectDoesNotExist or one of `UNREADABLE`.
    """
    if build_history(event, list(event.history.order_by("number"))).unreadable:
        raise InvalidBundleError(Code.DAMAGED, str(_DAMAGED))
    for keys in load_recorded_keys(event).values():
        deque(map(key_fingerprint, keys), maxlen=0)
    list_lots(event)
    outdated_cut(event)
    list_outdated_draws(event)


def _replace_rows(local_event: Event, bundle: Bundle, people: People) -> None:
    """Replace the event's rows with those of the file.

    The event's own row is updated. Its history and log are only extended.
    """
    matches = matches_of(local_event)
    for part in reversed(PARTS):
        if part.model not in (Event, *append_only.APPEND_ONLY):
            keys = list(part.select(local_event, matches).values_list("pk", flat=True))
            for chunk in _split_into_chunks(keys):
                part.model._default_manager.filter(pk__in=chunk).delete()
    stored_counts = append_only.count_rows(local_event)
    first, *others = PARTS
    [row] = [_make_row(first, fields, people) for fields in bundle.rows(first.name)]
    row.pk = local_event.pk
    row.save_base(raw=True, force_update=True)
    _store_parts(bundle, people, others, stored_counts)


def _store_parts(
    bundle: Bundle,
    people: People,
    parts: Iterable[BundlePart],
    stored_counts: Mapping[type[Model], int],
) -> None:
    """Store the rows of these parts.

    The first `stored_counts` rows of each model are skipped, because they already exist here.
    """
    for part in parts:
        new_rows = islice(bundle.rows(part.name), stored_counts.get(part.model, 0), None)
        rows: Iterator[Any] = (_make_row(part, fields, people) for fields in new_rows)
        if part.model is AuditEntry:
            rows = append_only.chain_rows(Event.objects.get(identity=bundle.head["identity"]), rows)
        for chunk in _split_into_chunks(rows):
            _insert_rows(part.model, chunk)


def _insert_rows(model: type[Model], rows: list[Any]) -> None:
    if any(getattr(field, "auto_now_add", False) for field in list_columns(model)):
        # Any other way of saving would set `auto_now_add` columns to the current time.
        for row in rows:
            row.save_base(raw=True, force_insert=True)
    else:
        model._default_manager.bulk_create(rows)


def _make_row(part: BundlePart, fields: Fields, people: People) -> Any:
    """Return the row as an unsaved instance. Columns that the file lacks keep their defaults."""
    fields_by_name = {field.attname: field for field in list_columns(part.model)}
    if unknown := fields.keys() - fields_by_name.keys():
        text = _("The file comes from a newer version of the site (“{field}” is unknown here).")
        raise InvalidBundleError(Code.NEWER, text.format(field=min(unknown)))
    try:
        values: Fields = {
            name: read_value(fields_by_name[name], value) for name, value in fields.items()
        }
    except UNREADABLE as error:
        raise InvalidBundleError(Code.DAMAGED, str(_DAMAGED)) from error
    users = {name: people[values[name]] for name in user_fields(part.model) if values.get(name)}
    json_column = _COLUMNS_WITH_USER.get(part.model, "")
    renamed = (
        {json_column: _replace_user_ids(values[json_column], people)}
        if json_column in values
        else {}
    )
    return part.model(**{**values, **users, **renamed})


# JSON columns with an account's id under "user".
_COLUMNS_WITH_USER: Mapping[type[Model], str] = {Proposal: "facts", AuditEntry: "data"}


def _replace_user_ids(facts: Facts, people: People) -> Facts:
    return {**facts, "user": people.get(facts["user"])} if "user" in facts else facts


def _match_people(bundle: Bundle) -> People:
    """Return the local account for each person in the file, found by email address.

    Missing accounts are created without a password.
    """
    players = {row.get("user_id") for row in bundle.rows(Registration._meta.label_lower)}
    accounts = {}
    for person in bundle.rows(PEOPLE):
        email = User.objects.normalize_email(person["email"])
        user = User.objects.filter(email=email).first()
        accounts[person["pk"]] = (
            user or _make_placeholder_account(email, person, plays=person["pk"] in players)
        ).pk
    return accounts


def _make_placeholder_account(email: str, fields: Fields, *, plays: bool) -> User:
    """Create an account for a person who has none here.

    Players can sign in with a code from the desk or by email. Other accounts are inactive.
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


def _make_owner(event: Event, actor: User) -> None:
    """Make the user who imports the event its owner here."""
    if not actor.is_superuser:
        EventRole.objects.get_or_create(event=event, user=actor, role=Role.OWNER)
