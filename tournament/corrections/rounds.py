"""Undoing the start or the end of a round, with a preview of the effect."""

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from games import facts
from games import services as games
from games.models import Match
from tournament.common.language import translate_later
from tournament.common.locks import lock_event
from tournament.common.refusals import RefusedError, check_reason
from tournament.models import Event, LogAction, Proposal, Result, Round, Stage, User
from tournament.oversight.audit import record, where
from tournament.oversight.conflicts import check_round
from tournament.oversight.second_person import Step, StepRequest, check_nothing_waits, take
from tournament.pure.codes import Code
from tournament.results import queries as read
from tournament.seating import draws


def describe_undo(played: Round) -> list[str]:
    """Describe the effect of undoing the round's start or end; empty if neither can be undone.

    Raises RefusedError as `take_back_start` and `reopen_round` do, except for a missing
    reason.
    """
    if played.state == Round.State.RUNNING:
        return _start_effect(played)
    return _describe_reopening(played) if played.state == Round.State.CLOSED else []


def _start_effect(played: Round) -> list[str]:
    _check_untouched(played)
    told = [
        _(
            "The round will go back to where it was before the start, with its seats "
            "published and unchanged."
        ),
        _("The round won’t count, and its players won’t count as having met."),
    ]
    if _has_closed_registration(played):
        told.append(
            _(
                "Registration will be open again without a deadline. You can set one in the "
                "settings."
            )
        )
    return told


@transaction.atomic
def take_back_start(played: Round, actor: User, reason: str) -> Round:
    """Reset a started round to published if no card was played, and abandon its matches.

    The matches are kept outside the event, because cards were dealt in them.

    Raises RefusedError with: no-reason, state, played, result.
    """
    event = lock_event(played.stage.event, played)
    check_reason(reason, _("Say why the start is being undone. The players will see the reason."))
    check_round(played, Round.State.RUNNING)
    _end_matches(played, reason)
    # Checked after play has stopped, because a move made until then prevents undoing the start.
    _check_untouched(played)
    _undo_start(event, played)
    told = translate_later(gettext_noop("Undid the start of {round}."), round=played)
    record(event, actor, LogAction.UNSTART, told, reason, **where(played))
    return played


def _check_untouched(played: Round) -> None:
    matches = Match.objects.filter(event_table__round=played)
    if facts.played_in(matches).exists() or played.tables.exclude(carried=[]).exists():
        text = _("A player has already made a move, so the start can’t be undone.")
        raise RefusedError(Code.PLAYED, text)
    results = Result.objects.filter(table__round=played).exclude(state=Result.State.UNDONE)
    if results.exists():
        text = _("A table already has points. Take back those points first, or close the round.")
        raise RefusedError(Code.RESULT, text)


def _end_matches(played: Round, reason: str) -> None:
    """End the matches in progress; their players see the reason."""
    tables = played.tables.select_related("match")
    for match in [table.match for table in tables if table.match]:
        if match.phase != Match.Phase.OVER:
            games.abandon_match(match, reason)


def _undo_start(event: Event, played: Round) -> None:
    closed = _has_closed_registration(played)
    played.tables.update(match=None)
    played.state = Round.State.PUBLISHED
    played.started_at, played.ends_at = None, None
    played.save(update_fields=["state", "started_at", "ends_at"])
    if closed:
        event.registration_closes = None
    begun = Round.objects.filter(stage__event=event, started_at__isnull=False)
    if not begun.exists():
        event.state = Event.State.OPEN
    event.save(update_fields=["state", "registration_closes"])


def _has_closed_registration(played: Round) -> bool:
    """Return whether the start of this round closed registration."""
    at_once = Event.objects.filter(registration_closes=played.started_at)
    return at_once.filter(pk=played.stage.event_id).exists()


def _describe_reopening(played: Round) -> list[str]:
    _check_reopening(played)
    told = [
        _("{round} will be open again, so its points can be entered and corrected.").format(
            round=played
        ),
        *_list_tables_without_result(played),
    ]
    if _is_time_up(played):
        told.append(
            _("The round’s time has run out, so the round will no longer have a time limit.")
        )
    text = _("The draft of {round} will be discarded.")
    told += [text.format(round=draft) for draft in _list_drafts(played)]
    if played.is_final:
        told.append(_("The winner will be undecided until the round is closed again."))
    return told


def _list_tables_without_result(played: Round) -> list[str]:
    tables = [found.table.number for found in read.table_results(played) if not found.final]
    if not tables:
        return []
    text = ngettext(
        "Table {tables} has no result and no match. Enter its points, or have its "
        "players use physical cards.",
        "Tables {tables} have no results and no matches. Enter their points, or have "
        "their players use physical cards.",
        len(tables),
    )
    return [text.format(tables=", ".join(map(str, tables)))]


@transaction.atomic
def reopen_round(played: Round, actor: User, reason: str) -> Proposal | None:
    """Reopen a closed round, either immediately or once a second organizer has confirmed it.

    Refused with: no-reason, state, finished, cut, later, waiting, asked.
    """
    event = lock_event(played.stage.event)
    check_nothing_waits(event, played)
    waits = take(REOPEN, StepRequest(event, actor, {"round": played.pk}, reason, played))
    played.refresh_from_db()
    return waits


def _check_reopening(played: Round) -> None:
    check_round(played, Round.State.CLOSED)
    stage = played.stage
    if stage.event.state == Event.State.FINISHED:
        text = _("The winner has been announced. Undo the announcement first, under “Standings”.")
        raise RefusedError(Code.FINISHED, text)
    if stage.state == Stage.State.CLOSED and not played.is_final:
        text = _("{stage} is closed. Reopen it first, under “Who advances”.")
        raise RefusedError(Code.CUT, text.format(stage=stage))
    if stage.rounds.filter(number__gt=played.number).exclude(state=Round.State.DRAFT).exists():
        text = _("A later round has been published. Withdraw its seats first.")
        raise RefusedError(Code.LATER, text)


def _list_drafts(played: Round) -> list[Round]:
    return list(played.stage.rounds.filter(number__gt=played.number))


def _is_time_up(played: Round) -> bool:
    return played.ends_at is not None and played.ends_at <= timezone.now()


def _round(deed: StepRequest) -> Round:
    return Round.objects.select_related("stage__event").get(pk=deed.facts["round"])


def _reopen(deed: StepRequest) -> None:
    played = _round(deed)
    _drop_drafts(deed, played)
    if _is_time_up(played):
        played.ends_at = None
    played.state = Round.State.RUNNING
    played.closed_at, played.close_reason = None, ""
    played.save(update_fields=["state", "closed_at", "close_reason", "ends_at"])
    if played.is_final:
        Stage.objects.filter(pk=played.stage_id).update(state=Stage.State.OPEN)
    told = translate_later(gettext_noop("Reopened {round}."), round=played)
    data = {**where(played), "second": bool(deed.second)}
    record(deed.event, deed.actor, LogAction.REOPEN_ROUND, told, deed.reason, **data)


def _drop_drafts(deed: StepRequest, played: Round) -> None:
    drafts = _list_drafts(played)
    draws.throw_away(deed.event, deed.actor, drafts, deed.reason)
    for draft in drafts:
        draft.delete()


REOPEN = Step(Proposal.Kind.REOPEN_ROUND, lambda deed: _check_reopening(_round(deed)), _reopen)
