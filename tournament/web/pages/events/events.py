"""The home page, and the public pages of an event."""

from typing import Any

from django.db.models import prefetch_related_objects
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.services import guests_welcome
from tournament.events.publicity import public_events
from tournament.events.spectator_texts import add_replays, describe_view, find_newest_replay
from tournament.events.texts import describe_admission
from tournament.hall import queries as public
from tournament.hall.ending import find_player_outcome
from tournament.hall.live_boards import event_boards, home_boards
from tournament.hall.queries import SeatAtTable, group_by_letter, player_page
from tournament.hall.spotlight import find_spotlight, find_table_link
from tournament.hall.table_views import PublicTable, RoundView
from tournament.hall.tree import build_tree
from tournament.models import Event, Registration
from tournament.oversight.history_texts import has_corrections, history
from tournament.oversight.rights import has_right
from tournament.people.staff.commentary import is_commentator
from tournament.planning.qualification_odds import bracket_with_chances
from tournament.registration.services import count_free_spots
from tournament.results.queries import rules_of
from tournament.results.table_state import TableState
from tournament.rounds import live_tables as going_on
from tournament.rounds.live_tables import annotate_in_play, annotate_players
from tournament.seating.lots import list_draws, list_lots, public_record
from tournament.stages.deciding import describe_deciding
from tournament.stages.winners import winner
from tournament.web.live.boards import board_context, hash_public_facts
from tournament.web.pages.hall.moments import render_announcement
from tournament.web.pages.site.shared import (
    chosen_stage,
    event_or_404,
    list_followed_slugs,
    own_registration,
    stages_begun,
)

MAX_FINISHED = 12
# Tables in these states are listed with their results.
ENDED_STATES = (TableState.FINISHED, TableState.ABANDONED)
# One tap starts a practice match with the most common rules and table size.
QUICK_PRACTICE = {"ruleset": "uno-500", "seats": 4}


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """List the events that are running, open for registration or finished."""
    counted = annotate_in_play(annotate_players(public_events()))
    events = counted.order_by("-starts_at", "-pk")  # Annotations remove the order.
    by_state: dict[str, list[Event]] = {state: [] for state in Event.State.values}
    for event in events:
        by_state[event.state].append(event)
    running = sorted(by_state[Event.State.RUNNING], key=_liveliness_key, reverse=True)
    upcoming = by_state[Event.State.OPEN][::-1]
    return render(
        request,
        "tournament/events/home.html",
        {
            "running": add_replays(running),
            "upcoming": upcoming,
            "live": list_followed_slugs([*running, *upcoming]),
            "boards": home_boards(event for event in running if _liveliness_key(event)[0]),
            "finished": by_state[Event.State.FINISHED][:MAX_FINISHED],
            "quick_practice": QUICK_PRACTICE,
            "guests_welcome": guests_welcome(),
        },
    )


def _liveliness_key(event: Any) -> tuple[bool, int]:
    """Return a sort key that ranks events with a table to watch highest, then large events."""
    return event.in_play, event.players


def _get_turnout(event: Any) -> int | None:
    """Return the number of players, or None before play has begun."""
    begun = event.state in (Event.State.RUNNING, Event.State.FINISHED)
    return event.players if begun else None


@require_safe
def event(request: HttpRequest, slug: str) -> HttpResponse:
    event = event_or_404(request, slug, annotate_players(Event.objects.all()))
    user, stages = request.user, going_on.list_stage_views(event)
    spotlight, ending = (
        find_spotlight(event, stages),
        find_player_outcome(event, own_registration(request, event)),
    )
    return render(
        request,
        "tournament/events/event.html",
        {
            "event": event,
            "rules": rules_of(event),
            "page": player_page(event, user) if user.is_authenticated else None,
            "stages": stages,
            "places_left": count_free_spots(event),
            "who_can_play": describe_admission(event),
            "ending": ending,
            "winner": ending.winner if ending else winner(event),
            "decides": describe_deciding(
                event,
                [each.stage for each in stages],
                _get_turnout(event),
                spotlight.spots if spotlight else None,
            ),
            "in_play": spotlight.in_play if spotlight else 0,
            "replay": "" if spotlight and spotlight.in_play else find_newest_replay(event),
            "on_stage": spotlight,
            "boards": event_boards(event) if spotlight and spotlight.tables else [],
            "viewers_see": describe_view(event),
            "lots": list_lots(event, [each.stage for each in stages]),
            "organizes": has_right(user, event, "see"),
            "shape": hash_public_facts(event),
        },
    )


@require_safe
def leaderboard(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the standings.

    `?view=hall` returns a page for projectors. `?stage=2` selects a single stage.
    """
    event = event_or_404(request, slug)
    prefetch_related_objects([event], "stages")
    stages = stages_begun(event)
    hall = request.GET.get("view") == "hall"
    if hall and (page := render_announcement(request, event)):
        return page
    return render(
        request,
        "tournament/standings/leaderboard_hall.html"
        if hall
        else "tournament/standings/leaderboard.html",
        {
            **board_context(event, chosen_stage(request, stages)),
            "stages": stages,
            "mine": own_registration(request, event),
            "winner": winner(event),
            "corrected": has_corrections(event),
        },
    )


@require_safe
def bracket(request: HttpRequest, slug: str) -> HttpResponse:
    event = event_or_404(request, slug)
    bracket_view, registration = (
        bracket_with_chances(event, public=True),
        own_registration(request, event),
    )
    return render(
        request,
        "tournament/stages/bracket.html",
        {
            "event": event,
            "bracket": bracket_view,
            "tree": build_tree(bracket_view, registration) if bracket_view else None,
            "winner": winner(event),
            "mine": registration,
            "commentates": is_commentator(event, request.user),
        },
    )


@require_safe
def watch(request: HttpRequest, slug: str) -> HttpResponse:
    """Redirect to the most interesting table.

    With the id of a match as the query parameter `after` or `before`, redirect to the next or
    previous table.
    """
    event = event_or_404(request, slug)
    after, before = request.GET.get("after", ""), request.GET.get("before", "")
    link = find_table_link(event, after or before, 1 if after else -1)
    return redirect(link or reverse("event-tables", args=[event.slug]))


@require_safe
def tables(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the seating.

    `?by=name` lists the players by name. `?view=hall` returns a page for projectors.
    """
    event = event_or_404(request, slug)
    hall = request.GET.get("view") == "hall"
    if hall and (page := render_announcement(request, event)):
        return page
    rounds = public.tables(event)
    current = rounds[0] if rounds else None
    registration = own_registration(request, event)
    by_name = request.GET.get("by") == "name"
    names = group_by_letter(current) if by_name and current else []
    return render(
        request,
        "tournament/rounds/tables_hall.html" if hall else "tournament/rounds/tables.html",
        {
            "event": event,
            "current": current,
            "earlier": rounds[1:],
            "by_name": by_name,
            "names": names,
            "own": _find_own_seat(names, registration),
            "mine": registration,
            "commentates": is_commentator(event, request.user),
        },
    )


def _find_own_seat(
    names: list[tuple[str, list[SeatAtTable]]], registration: Registration | None
) -> SeatAtTable | None:
    pairs = (pair for _, pairs in names for pair in pairs)
    return next(
        (pair for pair in pairs if registration and pair[0].registration == registration), None
    )


@require_safe
def results(request: HttpRequest, slug: str) -> HttpResponse:
    event = event_or_404(request, slug)
    return render(
        request,
        "tournament/events/results.html",
        {
            "event": event,
            "rounds": _list_ended_tables(public.tables(event)),
            "winner": winner(event),
            "mine": own_registration(request, event),
        },
    )


@require_safe
def event_history(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the event history, which is the public record of organizers' actions."""
    event = event_or_404(request, slug)
    context = {"history": history(event), "lots": list_lots(event), "draws": list_draws(event)}
    # A correction may have followed the announcement, so the current winner is shown.
    current_winner = winner(event)
    sentence = _("{winner}.").format(winner=current_winner.sentence) if current_winner else ""
    context |= {"event": event, "winner": current_winner, "won": sentence}
    return render(request, "tournament/oversight/history.html", context)


@require_safe
def history_file(request: HttpRequest, slug: str) -> HttpResponse:
    """Serve the event history as JSON, with every byte that is hashed (docs/fair-deal.md)."""
    event = event_or_404(request, slug)
    return HttpResponse(public_record(event), content_type="application/json")


def _list_ended_tables(
    rounds: list[RoundView],
) -> list[tuple[RoundView, list[PublicTable]]]:
    tables_by_round = [
        (each, [table for table in each.tables if table.state in ENDED_STATES]) for each in rounds
    ]
    return [(each, ended) for each, ended in tables_by_round if ended]
