"""Pages of live play. Unknown and not allowed give the same 404."""

import json

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.text import slugify
from django.views.decorators.http import require_http_methods, require_safe

from games import access, queries, services
from games.access import Admission
from games.forms import PracticeForm
from games.models import Hand, Match


def admitted(request: HttpRequest, public_id: str) -> Admission:
    try:
        return access.admit(public_id, request.user)
    except Match.DoesNotExist:
        raise Http404 from None


@require_safe
def table(request: HttpRequest, public_id: str) -> HttpResponse:
    """The live table; everything on it comes from `view`, and then over the socket."""
    match = admitted(request, public_id).match
    view = queries.match_view(match, request.user)
    return render(request, "games/table.html", {"match": match, "view": view})


@require_safe
def result(request: HttpRequest, public_id: str) -> HttpResponse:
    """Scores of all hands, without JavaScript and at any time."""
    match = admitted(request, public_id).match
    return render(request, "games/result.html", queries.result_page(match))


@require_safe
def replay(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """A hand step by step with all cards open, once the match is over."""
    hand = open_hand(admitted(request, public_id).match, number)
    context = {
        "match": hand.match,
        "hand": hand,
        "replay": queries.replay_page(hand),
        "step": request.GET.get("step", "0"),
    }
    return render(request, "games/replay.html", context)


@require_safe
def record(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """The same hand as a file that check_record reads."""
    hand = open_hand(admitted(request, public_id).match, number)
    text = json.dumps(queries.hand_record(hand), indent=1, ensure_ascii=False)
    response = HttpResponse(text, content_type="application/json; charset=utf-8")
    name = slugify(f"{hand.match}-hand-{hand.number}")
    response.headers["Content-Disposition"] = f'attachment; filename="{name}.json"'
    return response


def open_hand(match: Match, number: int) -> Hand:
    hand = match.hands.select_related("match").filter(number=number).first()
    if hand is None or not queries.is_open(hand):
        raise Http404
    return hand


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def practice(request: HttpRequest) -> HttpResponse:
    """Choose rules and a number of bots, and play at once."""
    form = PracticeForm(request.POST if request.method == "POST" else None)
    if form.is_valid():
        match = services.start_practice(request.user, **form.cleaned_data)
        return redirect(match)
    return render(
        request, "games/practice.html", {"form": form}, status=400 if form.errors else 200
    )
