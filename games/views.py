"""Pages of live play. Unknown and not allowed give the same 404."""

import logging

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from games import queries, services
from games.forms import PracticeForm
from games.live import access
from games.live.access import Admission
from games.models import Hand, Match
from games.store import Snapshot

logger = logging.getLogger(__name__)


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
    context = {"match": match, "view": view, "rematch": queries.rematch(match)}
    return render(request, "games/table.html", context)


@require_safe
def commentary(request: HttpRequest, public_id: str) -> HttpResponse:
    """The same with all cards, a while later, for commentators; each visit is logged."""
    try:
        key = request.session.session_key or ""
        match = access.admit_commentator(public_id, request.user, key).match
    except Match.DoesNotExist:
        raise Http404 from None
    access.note_commentator(match.pk, request.user, by_socket=False)
    view = queries.match_commentary(match, access.commentates_since(match.pk, request.user))
    context = {"match": match, "view": view, "commentary": True}
    return render(request, "games/table.html", context)


@require_safe
def result(request: HttpRequest, public_id: str) -> HttpResponse:
    """Scores of all hands, without JavaScript and at any time."""
    admission = admitted(request, public_id)
    shown = queries.seen(admission.match, admission.number)
    context = {**queries.result_page(shown.snapshot), "late": shown.stream.text}
    return render(request, "games/result.html", context)


@require_safe
def fair(request: HttpRequest, public_id: str) -> HttpResponse:
    """Every hand's deal, computed again in the visitor's browser."""
    admission = admitted(request, public_id)
    shown = queries.seen(admission.match, admission.number)
    return render(request, "games/fair.html", queries.fair_page(shown.snapshot, admission.number))


# What is needed to check a deal without this site's page, by name.
FAIR_FILES = {
    "verify_deal.py": "text/x-python",
    "fair-deal.md": "text/markdown",
    "hand-record.md": "text/markdown",
}


@require_safe
def fair_file(request: HttpRequest, document: str) -> HttpResponse:
    """The script that computes a deal, or a page of the documents that describe it."""
    if document not in FAIR_FILES:
        raise Http404
    content = (settings.BASE_DIR / "docs" / document).read_bytes()
    return HttpResponse(content, content_type=f"{FAIR_FILES[document]}; charset=utf-8")


@require_safe
def replay(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """A hand step by step, with the cards that may be seen by then."""
    admission = admitted(request, public_id)
    snapshot, hand = open_hand(admission, number)
    try:
        page = queries.replay_page(snapshot, hand, admission.number)
    except queries.NOT_PLAYED_SO:
        logger.exception("Hand %s cannot be played again", hand.pk)
        return render(request, "games/no_replay.html", {"match": hand.match}, status=500)
    return render(request, "games/replay.html", {"match": hand.match, "hand": hand, "replay": page})


@require_safe
def record(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """The same hand as a file that check_record reads."""
    _, hand = open_hand(admitted(request, public_id), number)
    if not queries.shows_cards(hand.match):
        return render(request, "games/no_record.html", {"match": hand.match}, status=403)
    name, text = queries.record_file(hand)
    return HttpResponse(
        text,
        content_type="application/json; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


def open_hand(admission: Admission, number: int) -> tuple[Snapshot, Hand]:
    """What the visitor may know of the match, and the hand if it is open to them; else 404."""
    match = admission.match
    snapshot = queries.seen(match, admission.number).snapshot
    known = next((hand for hand in snapshot.hands if hand.number == number), None)
    if known is None or not queries.is_open(snapshot.match, known):
        raise Http404
    return snapshot, match.hands.select_related("match").get(number=number)


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
