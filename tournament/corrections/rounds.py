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
from tournament.oversight.audit import identify_place, record
from tournament.oversight.conflicts import check_round_state
from tournament.oversight.second_person import Step, StepRequest, check_nothing_pending, take_step
from tournament.pure.codes import Code
from tournament.results import queries as read
from tournament.seating import draws


def describe_undo(round_: Round) -> list[str]:
    """Describe the effect of undoing the round's start or end. Return [] if neither is possible.

    Raises RefusedError like `undo_round_start` or `reopen_round`, except for a missing reason.
    """
    if round_.state == Round.State.RUNNING:
        return _describe_start_undo(round_)
    return _describe_reopening(round_) if round_.state == Round.State.CLOSED else []


def _describe_start_undo(round_: Round) -> list[str]:
    _check_nothing_played(round_)
    sentences = [
        _(
            "The round will go back to where it was before the start, with its seats "
            "published and unchanged."
        ),
        _("The round won’t count, and its players won’t count as having met."),
    ]
    if _has_closed_registration(round_):
        sentences.append(
            _(
                "Registration will be open again without a deadline. You can set one in the "
                "settings."
            )
        )
    return sentences


@transaction.atomic
def undo_round_start(round_: Round, actor: User, reason: str) -> Round:
    """Undo the start of a round in which no card was played, and abandon its matches.

    The round becomes a published round again. The matches are kept, because cards were dealt in
    them, but no longer belong to the event. Raises RefusedError with the code `no-reason`,
    `state`, `played` or `result`.
    """
    event = lock_event(round_.stage.event, round_)
    check_reason(reason, _("Say why the start is being undone. The players will see the reason."))
    check_round_state(round_, Round.State.RUNNING)
    _end_matches(round_, reason)
    # The matches end before this check, so that no move can follow it.
    _check_nothing_played(round_)
    _reset_round(event, round_)
    description = translate_later(gettext_noop("Undid the start of {round}."), round=round_)
    record(event, actor, LogAction.UNSTART, description, reason, **identify_place(round_))
    return round_


def _check_nothing_played(round_: Round) -> None:
    matches = Match.objects.filter(event_table__round=round_)
    if facts.filter_played(matches).exists() or round_.tables.exclude(carried=[]).exists():
        text = _("A player has already made a move, so the start can’t be undone.")
        raise RefusedError(Code.PLAYED, text)
    results = Result.objects.filter(table__round=round_).exclude(state=Result.State.UNDONE)
    if results.exists():
        text = _("A table already has points. Take back those points first, or close the round.")
        raise RefusedError(Code.RESULT, text)


def _end_matches(round_: Round, reason: str) -> None:
    """End the matches in progress. Their players see the reason."""
    tables = round_.tables.select_related("match")
    for match in [table.match for table in tables if table.match]:
        if match.phase != Match.Phase.OVER:
            games.abandon_match(match, reason)


def _reset_round(event: Event, round_: Round) -> None:
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
    """Return whether registration was closed by the start of this round."""
    closed_at_start = Event.objects.filter(registration_closes=round_.started_at)
    return closed_at_start.filter(pk=round_.stage.event_id).exists()


def _describe_reopening(round_: Round) -> list[str]:
    _check_can_reopen(round_)
    sentences = [
        _("{round} will be open again, so its points can be entered and corrected.").format(
            round=round_
        ),
        *_list_tables_without_result(round_),
    ]
    if _is_time_up(round_):
        sentences.append(
            _("The round’s time has run out, so the round will no longer have a time limit.")
        )
    text = _("The draft of {round} will be discarded.")
    sentences += [text.format(round=draft) for draft in _list_drafts(round_)]
    if round_.is_final:
        sentences.append(_("The winner will be undecided until the round is closed again."))
    return sentences


def _list_tables_without_result(round_: Round) -> list[str]:
    tables = [result.table.number for result in read.table_results(round_) if not result.final]
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
    """Reopen a closed round, possibly after confirmation by a second organizer.

    Raises RefusedError with the code `no-reason`, `state`, `finished`, `cut`, `later`, `waiting`
    or `asked`.
    """
    event = lock_event(round_.stage.event)
    check_nothing_pending(event, round_)
    proposal = take_step(REOPEN, StepRequest(event, actor, {"round": round_.pk}, reason, round_))
    round_.refresh_from_db()
    return proposal


def _check_can_reopen(round_: Round) -> None:
    check_round_state(round_, Round.State.CLOSED)
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


def _get_round(request: StepRequest) -> Round:
    return Round.objects.select_related("stage__event").get(pk=request.facts["round"])


def _reopen_requested_round(request: StepRequest) -> None:
    played = _get_round(request)
    _discard_drafts(request, played)
    if _is_time_up(played):
        played.ends_at = None
    played.state = Round.State.RUNNING
    played.closed_at, played.close_reason = None, ""
    played.save(update_fields=["state", "closed_at", "close_reason", "ends_at"])
    if played.is_final:
        Stage.objects.filter(pk=played.stage_id).update(state=Stage.State.OPEN)
    description = translate_later(gettext_noop("Reopened {round}."), round=played)
    data = {**identify_place(played), "second": bool(request.second)}
    record(
        request.event, request.actor, LogAction.REOPEN_ROUND, description, request.reason, **data
    )


def _discard_drafts(request: StepRequest, round_: Round) -> None:
    drafts = _list_drafts(round_)
    draws.record_discarded_draws(request.event, request.actor, drafts, request.reason)
    for draft in drafts:
        draft.delete()


REOPEN = Step(
    Proposal.Kind.REOPEN_ROUND,
    lambda request: _check_can_reopen(_get_round(request)),
    _reopen_requested_round,
)
