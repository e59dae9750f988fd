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


def describe_undo(round_: Round) -> list[str]:
    """Describe the effect of undoing the round's start or end; empty if neither can be undone.

    Raises RefusedError as `take_back_start` and `reopen_round` do, except for a missing
    reason.
    """
    if round_.state == Round.State.RUNNING:
        return _start_effect(round_)
    return _describe_reopening(round_) if round_.state == Round.State.CLOSED else []


def _start_effect(round_: Round) -> list[str]:
    _check_untouched(round_)
    told = [
        _(
            "The round will go back to where it was before the start, with its seats "
            "published and unchanged."
        ),
        _("The round won’t count, and its players won’t count as having met."),
    ]
    if _has_closed_registration(round_):
        told.append(
            _(
                "Registration will be open again without a deadline. You can set one in the "
                "settings."
            )
        )
    return told


@transaction.atomic
def take_back_start(round_: Round, actor: User, reason: str) -> Round:
    """Reset a started round to published if no card was played, and abandon its matches.

    The matches are kept outside the event, because cards were dealt in them.

    Raises RefusedError with: no-reason, state, played, result.
    """
    event = lock_event(round_.stage.event, round_)
    check_reason(reason, _("Say why the start is being undone. The players will see the reason."))
    check_round(round_, Round.State.RUNNING)
    _end_matches(round_, reason)
    # Checked after play has stopped, because a move made until then prevents undoing the start.
    _check_untouched(round_)
    _undo_start(event, round_)
    told = translate_later(gettext_noop("Undid the start of {round}."), round=round_)
    record(event, actor, LogAction.UNSTART, told, reason, **where(round_))
    return round_


def _check_untouched(round_: Round) -> None:
    matches = Match.objects.filter(event_table__round=round_)
    if facts.filter_played(matches).exists() or round_.tables.exclude(carried=[]).exists():
        text = _("A player has already made a move, so the start can’t be undone.")
        raise RefusedError(Code.PLAYED, text)
    results = Result.objects.filter(table__round=round_).exclude(state=Result.State.UNDONE)
    if results.exists():
        text = _("A table already has points. Take back those points first, or close the round.")
        raise RefusedError(Code.RESULT, text)


def _end_matches(round_: Round, reason: str) -> None:
    """End the matches in progress; their players see the reason."""
    tables = round_.tables.select_related("match")
    for match in [table.match for table in tables if table.match]:
        if match.phase != Match.Phase.OVER:
            games.abandon_match(match, reason)


def _undo_start(event: Event, round_: Round) -> None:
    closed = _has_closed_registration(round_)
    round_.tables.update(match=None)
    round_.state = Round.State.PUBLISHED
    round_.started_at, round_.ends_at = None, None
    round_.save(update_fields=["state", "started_at", "ends_at"])
    if closed:
        event.registration_closes = None
    begun = Round.objects.filter(stage__event=event, started_at__isnull=False)
    if not begun.exists():
        event.state = Event.State.OPEN
    event.save(update_fields=["state", "registration_closes"])


def _has_closed_registration(round_: Round) -> bool:
    """Return whether the start of this round closed registration."""
    at_once = Event.objects.filter(registration_closes=round_.started_at)
    return at_once.filter(pk=round_.stage.event_id).exists()


def _describe_reopening(round_: Round) -> list[str]:
    _check_reopening(round_)
    told = [
        _("{round} will be open again, so its points can be entered and corrected.").format(
            round=round_
        ),
        *_list_tables_without_result(round_),
    ]
    if _is_time_up(round_):
        told.append(
            _("The round’s time has run out, so the round will no longer have a time limit.")
        )
    text = _("The draft of {round} will be discarded.")
    told += [text.format(round=draft) for draft in _list_drafts(round_)]
    if round_.is_final:
        told.append(_("The winner will be undecided until the round is closed again."))
    return told


def _list_tables_without_result(round_: Round) -> list[str]:
    tables = [found.table.number for found in read.table_results(round_) if not found.final]
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
def reopen_round(round_: Round, actor: User, reason: str) -> Proposal | None:
    """Reopen a closed round, either immediately or once a second organizer has confirmed it.

    Refused with: no-reason, state, finished, cut, later, waiting, asked.
    """
    event = lock_event(round_.stage.event)
    check_nothing_waits(event, round_)
    waits = take(REOPEN, StepRequest(event, actor, {"round": round_.pk}, reason, round_))
    round_.refresh_from_db()
    return waits


def _check_reopening(round_: Round) -> None:
    check_round(round_, Round.State.CLOSED)
    stage = round_.stage
    if stage.event.state == Event.State.FINISHED:
        text = _("The winner has been announced. Undo the announcement first, under “Standings”.")
        raise RefusedError(Code.FINISHED, text)
    if stage.state == Stage.State.CLOSED and not round_.is_final:
        text = _("{stage} is closed. Reopen it first, under “Who advances”.")
        raise RefusedError(Code.CUT, text.format(stage=stage))
    if stage.rounds.filter(number__gt=round_.number).exclude(state=Round.State.DRAFT).exists():
        text = _("A later round has been published. Withdraw its seats first.")
        raise RefusedError(Code.LATER, text)


def _list_drafts(round_: Round) -> list[Round]:
    return list(round_.stage.rounds.filter(number__gt=round_.number))


def _is_time_up(round_: Round) -> bool:
    return round_.ends_at is not None and round_.ends_at <= timezone.now()


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


def _drop_drafts(deed: StepRequest, round_: Round) -> None:
    drafts = _list_drafts(round_)
    draws.throw_away(deed.event, deed.actor, drafts, deed.reason)
    for draft in drafts:
        draft.delete()


REOPEN = Step(Proposal.Kind.REOPEN_ROUND, lambda deed: _check_reopening(_round(deed)), _reopen)
