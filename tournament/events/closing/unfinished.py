"""Unfinished items of an event. They are listed before the results are locked."""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.models import Match
from tournament.models import Event, Letter, Proposal, Result
from tournament.results.queries import table_results
from tournament.results.table_result import TableResult
from tournament.stages.outdated_cuts import outdated_cut
from tournament.stages.outdated_draws import list_outdated_draws


def list_unfinished(event: Event) -> list[str]:
    """Describe each unfinished item in a sentence, most important first."""
    results = table_results(event, play=False)
    tables = [str(each.table) for each in results if _lacks_result(each)]
    overridden = Result.objects.filter(
        table__round__stage__event=event, overridden=True, state=Result.State.CONFIRMED
    )
    sentences = [
        _describe_pending_requests(event.proposals.filter(state=Proposal.State.WAITING).count()),
        _("The players who advanced no longer match the results. Check “Who advances”.")
        if outdated_cut(event)
        else "",
        *(each.sentence for each in list_outdated_draws(event)),
        _describe_missing_results(tables),
        _describe_impossible_results(overridden.count()),
        _describe_emails(Letter.objects.filter(event=event, due__isnull=False).count()),
    ]
    return [sentence for sentence in sentences if sentence]


def _lacks_result(result: TableResult) -> bool:
    abandoned = result.match is not None and result.match.ended == Match.MatchEnding.ABANDONED
    return not result.final and (abandoned or result.table.paper)


def _describe_pending_requests(count: int) -> str:
    text = ngettext(
        "{count} request is still waiting for a second organizer, under “Confirmations”.",
        "{count} requests are still waiting for a second organizer, under “Confirmations”.",
        count,
    )
    return text.format(count=count) if count else ""


def _describe_missing_results(tables: list[str]) -> str:
    text = _("No result, so not counted: {tables}.")
    return text.format(tables="; ".join(tables)) if tables else ""


def _describe_impossible_results(count: int) -> str:
    text = ngettext(
        "{count} result counts even though no combination of cards adds up to it.",
        "{count} results count even though no combination of cards adds up to them.",
        count,
    )
    return text.format(count=count) if count else ""


def _describe_emails(count: int) -> str:
    text = ngettext(
        "{count} email is waiting to be sent.", "{count} emails are waiting to be sent.", count
    )
    return text.format(count=count) if count else ""
