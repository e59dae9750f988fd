"""Pages of live play. Unknown and forbidden matches have the same 404 response."""

import logging
from itertools import zip_longest

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.csrf import csrf_failure
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_http_methods, require_safe

from games import guests, queries, services
from games.guests import Guest
from games.models import Hand, Match
from games.practice.forms import PracticeForm
from games.process.client_network import counting_network
from games.sockets.desks import desk
from games.sockets.entrance import access, origin
from games.sockets.entrance.access import Admission
from games.store import Snapshot

logger = logging.getLogger(__name__)

FAIR = "games/fair.html"


def admit(request: HttpRequest, public_id: str) -> Admission:
    try:
        return access.admit(public_id, guests.player_of(request))
    except Match.DoesNotExist:
        raise Http404 from None


@require_safe
@gzip_page
def table(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the live table.

    The page contains the first view. Later views arrive over the socket.
    """
    match = admit(request, public_id).match
    view = queries.match_view(match, guests.player_of(request))
    context = {
        "match": match,
        "view": view,
        "rematch": queries.rematch(match),
        "site_key": queries.site_key(),
    }
    return render(request, "games/table.html", context)


@require_safe
def commentary(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show a commentator the live table with all cards and a delay, and log the visit."""
    try:
        key = request.session.session_key or ""
        match = access.admit_commentator(public_id, request.user, key).match
    except Match.DoesNotExist:
        raise Http404 from None
    access.log_commentator(match.pk, request.user, by_socket=False)
    view = queries.match_commentary(match, access.commentator_since(match.pk, request.user))
    context = {"match": match, "view": view, "commentary": True}
    return render(request, "games/table.html", context)


@require_safe
def result(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the scores of all hands. This page works at any time and without JavaScript.

    While the match is frozen for viewers, players see the points but not the places.
    """
    admission = admit(request, public_id)
    shown = queries.match_for_seat(admission.match, admission.number)
    hidden = admission.number is not None and shown.snapshot.match.viewers_until is not None
    page = queries.result_page(shown.snapshot)
    counted = desk().result(admission.match.pk) if page["result"].over and not hidden else None
    if counted:
        queries.show_event_result(page, counted)
    context = {
        **page,
        "late": shown.stream.text,
        "places_hidden": hidden,
        "order": "number" if hidden else "place",
        "sentence": queries.review_sentence(shown.snapshot),
        "rematch": queries.rematch(shown.snapshot.match),
    }
    return render(request, "games/result.html", context)


@require_safe
def fair(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the page on which the browser recomputes the deal of every hand.

    With `data` in the query string, serve only the page's data.
    """
    admission = admit(request, public_id)
    shown = queries.match_for_seat(admission.match, admission.number)
    page = queries.fair_deal_page(shown.snapshot, admission.number)
    return JsonResponse(page["fair"]) if "data" in request.GET else render(request, FAIR, page)


# Files for checking a deal without this site's page, with their content types.
FAIR_FILES = {
    "verify_deal.py": "text/x-python",
    "verify_match.py": "text/x-python",
    "fair-deal.md": "text/markdown",
    "hand-record.md": "text/markdown",
}


@require_safe
def fair_file(request: HttpRequest, document: str) -> HttpResponse:
    """Serve a script that recomputes deals, or a document that describes them."""
    if document not in FAIR_FILES:
        raise Http404
    content = (settings.BASE_DIR / "docs" / document).read_bytes()
    return HttpResponse(content, content_type=f"{FAIR_FILES[document]}; charset=utf-8")


@require_safe
def replay(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Show a hand step by step, with the cards that the visitor may see now."""
    admission = admit(request, public_id)
    snapshot, hand = open_hand(admission, number)
    try:
        luck = queries.hand_luck(snapshot, hand, admission.number)
        page = queries.replay_page(snapshot, hand, admission.number, luck.steps)
    except queries.REPLAY_ERRORS:
        logger.exception("Hand %s cannot be replayed", hand.pk)
        return render(request, "games/no_replay.html", {"match": hand.match}, status=500)
    context = {
        "match": hand.match,
        "rules": snapshot.rules,
        "hand": hand,
        "replay": page,
        "drawn": queries.list_dealer_draws(hand),
        "luck": luck,
        "steps": zip_longest(page["steps"], page["luck"]),
    }
    return render(request, "games/replay.html", context)


@require_safe
def record(request: HttpRequest, public_id: str, number: int) -> HttpResponse:
    """Serve the record of a hand as a file, which `manage.py check_record` can check."""
    _, hand = open_hand(admit(request, public_id), number)
    if not queries.shows_cards(hand.match):
        return render(request, "games/no_record.html", {"match": hand.match}, status=403)
    name, text = queries.record_file(hand)
    return HttpResponse(
        text,
        content_type="application/json; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )


# A CSRF token would need a cookie, and people who only watch have none.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def review(request: HttpRequest, public_id: str) -> HttpResponse:
    """Show the review "Was it luck?" of a match.

    A button requests the review, a background task computes it, and a script polls for the result.
    """
    if request.method == "POST" and not origin.is_same_site_post(request):
        return csrf_failure(request)
    admission = admit(request, public_id)
    snapshot = queries.match_for_seat(admission.match, admission.number).snapshot
    if not queries.may_review(snapshot):
        raise Http404
    if request.method == "POST":
        services.request_review(snapshot.match)
        return redirect("games:review", public_id)
    page = queries.review_page(snapshot, admission.number)
    part = "games/review_answer.html" if "part" in request.GET else "games/review.html"
    return render(request, part, page)


def open_hand(admission: Admission, number: int) -> tuple[Snapshot, Hand]:
    """Return the match as the visitor may see it, and its hand with this number.

    Raises Http404 if the visitor may not see the hand.
    """
    match = admission.match
    snapshot = queries.match_for_seat(match, admission.number).snapshot
    shown_hand = next((hand for hand in snapshot.hands if hand.number == number), None)
    if shown_hand is None or not queries.is_replay_open(snapshot.match, shown_hand):
        raise Http404
    return snapshot, match.hands.select_related("match").get(number=number)


# A CSRF token would need a cookie, and visitors who only look at the form get none.
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def practice(request: HttpRequest) -> HttpResponse:
    """Let visitors choose rules and bots for a practice match, with or without an account."""
    if request.method != "POST":
        return _render_practice_page(request, PracticeForm(), 200)
    if not origin.is_same_site_post(request):
        return csrf_failure(request)
    form = PracticeForm(request.POST)
    if not form.is_valid():
        return _render_practice_page(request, form, 400)
    player = guests.player_of(request)
    player = player if player.pk or isinstance(player, Guest) else _create_guest(request)
    try:
        match = services.start_practice(player, **form.cleaned_data)
    except services.RefusedError as refused:
        return _render_practice_page(request, form, 503, refused)
    if isinstance(player, Guest):
        guests.store_guest(request, player)
    return redirect(match)


def _create_guest(request: HttpRequest) -> Guest:
    # uvicorn has already replaced the proxy's address with the visitor's.
    return Guest.create(counting_network(str(request.META.get("REMOTE_ADDR", ""))))


def _render_practice_page(
    request: HttpRequest,
    form: PracticeForm,
    status: int,
    refused: services.RefusedError | None = None,
) -> HttpResponse:
    context = {
        "form": form,
        "refused": refused,
        "guest": not request.user.is_authenticated,
        "guests_welcome": services.guests_welcome(),
        "strong_bots": request.user.is_authenticated or services.strong_bots_allowed(),
    }
    return render(request, "games/practice.html", context, status=status)
