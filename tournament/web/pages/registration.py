"""Pages for a user's registrations, current seat and account."""

from typing import NotRequired, TypedDict

from allauth.decorators import rate_limit
from django.conf import settings
from django.contrib import messages
from django.contrib.auth import logout
from django.contrib.auth.decorators import login_required
from django.contrib.auth.views import redirect_to_login
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_http_methods, require_safe

from tournament.attendance.door import player_code
from tournament.common.refusals import RefusedError
from tournament.events.spectator_texts import find_newest_replay
from tournament.events.texts import describe_admission
from tournament.hall.ending import PlayerOutcome, find_first_outcomes, find_player_outcome
from tournament.hall.own_place import (
    describe_hidden_places,
    describe_own_place,
    describe_table_place,
    is_place_hidden,
)
from tournament.hall.queries import player_page, select_tables_of_player
from tournament.hall.table_views import PlayerPage
from tournament.models import Event, PublicProfile, Registration, User
from tournament.people.accounts import devices
from tournament.people.accounts import services as accounts
from tournament.people.accounts.assurance import list_second_factors
from tournament.people.accounts.college.unlinking import is_linked
from tournament.people.staff.invitations import filter_invitations_for, select_open_invitations
from tournament.registration import services as registration
from tournament.registration.services import count_free_spots
from tournament.results.reports import ReportedTable, find_reported_table
from tournament.rounds.live_tables import (
    CurrentSeat,
    count_tables_in_play,
    find_current_event,
    list_current_seats,
)
from tournament.rounds.running_seats import SeatState, find_running_seat, find_seat_state
from tournament.rulings import services as rulings
from tournament.site.qr import data_uri
from tournament.stages.winners import Winner
from tournament.standings.rows import LeaderRow
from tournament.web.forms.accounts import LookForm, PublicPageForm
from tournament.web.forms.registration import ProfileForm, RegistrationForm
from tournament.web.live.boards import current_news, hash_public_facts
from tournament.web.pages.site.shared import event_or_404, list_followed_slugs, own_registration

get_or_post = require_http_methods(["GET", "HEAD", "POST"])


@get_or_post
def register(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the registration form, or the state of an existing registration.

    New users create an account first. Users who have signed in on this device before only sign in
    again.
    """
    if not request.user.is_authenticated:
        has_account = devices.read_device(request) or not settings.PASSWORD_SIGN_UP
        account_page = "account_login" if has_account else "account_signup"
        return redirect_to_login(request.get_full_path(), reverse(account_page))
    event = event_or_404(request, slug)
    if request.method == "POST":
        response: HttpResponse = _submit_registration(request, event)
        return response
    current_registration = own_registration(request, event)
    if current_registration is None or current_registration.state == Registration.State.WITHDRAWN:
        return _render_form(request, event, RegistrationForm(event, _get_user(request)))
    return render(
        request, "tournament/registration/registration.html", _build_player_page(request, event)
    )


@rate_limit(action="event_register")  # type: ignore[untyped-decorator]
def _submit_registration(request: HttpRequest, event: Event) -> HttpResponse:
    form = RegistrationForm(event, _get_user(request), request.POST)
    if not form.is_valid():
        return _render_form(request, event, form)
    try:
        registration.register(event, _get_user(request), **form.cleaned_data)
    except RefusedError as refused:
        form.add_refusal(refused)
        return _render_form(request, event, form)
    return redirect("event-register", event.slug)


def _render_form(request: HttpRequest, event: Event, form: RegistrationForm) -> HttpResponse:
    return render(
        request,
        "tournament/registration/register.html",
        {
            "event": event,
            "form": form,
            "places_left": count_free_spots(event),
            "who_can_play": describe_admission(event),
        },
        status=400 if form.errors else 200,
    )


@login_required
@get_or_post
def withdraw(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask for confirmation, then withdraw the player from the event."""
    event = event_or_404(request, slug)
    current_registration = own_registration(request, event)
    if current_registration is None:
        raise Http404
    if request.method == "POST":
        return _withdraw_player(request, current_registration)
    seat = find_running_seat(current_registration)
    playing = find_seat_state(current_registration, seat) == SeatState.PLAYING
    context = {
        "event": event,
        "registration": current_registration,
        "seat": seat if playing else None,
        "played": select_tables_of_player(event, current_registration).exists(),
    }
    return render(request, "tournament/registration/withdraw.html", context)


def _withdraw_player(request: HttpRequest, current_registration: Registration) -> HttpResponse:
    """Withdraw the player, and forfeit the player's match if one is in progress."""
    try:
        if find_running_seat(current_registration):
            rulings.leave_event(current_registration, _get_user(request))
        else:
            registration.withdraw(current_registration, _get_user(request))
    except RefusedError as refused:
        messages.error(request, refused.sentence)
        return redirect("event-register", current_registration.event.slug)
    messages.success(
        request, _("You have withdrawn from {event}.").format(event=current_registration.event)
    )
    return redirect("event", current_registration.event.slug)


@login_required
@get_or_post
def return_to_seat(request: HttpRequest, slug: str) -> HttpResponse:
    """Let the player replace the bot that has been playing in their seat.

    Players who had to sign in first arrive with a GET request, which only redirects.
    """
    event = event_or_404(request, slug)
    if request.method == "POST":
        try:
            rulings.return_seat_from_bot(event, _get_user(request))
        except RefusedError as refused:
            messages.error(request, refused.sentence)
    return redirect("my-table", event.slug)


class PlayerContext(TypedDict):
    """Context of the pages that show players their own seat and place."""

    event: Event
    page: PlayerPage | None
    shape: str
    in_play: int
    replay: str
    row: NotRequired[LeaderRow | None]
    own_place: NotRequired[str]
    place_hidden: NotRequired[bool]
    table_place: NotRequired[str]
    picture: NotRequired[str]
    entry: NotRequired[ReportedTable | None]
    ending: NotRequired[PlayerOutcome | None]
    winner: NotRequired[Winner | None]


@login_required
@require_safe
def my_table(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the player's current seat and previous tables."""
    context = _build_ranked_page(request, event_or_404(request, slug))
    if page := context["page"]:
        context["picture"] = _make_check_in_picture(request, page.registration)
        context["entry"] = (
            find_reported_table(page.table.table, _get_user(request)) if page.table else None
        )
    return render(request, "tournament/registration/my_table.html", context)


@login_required
@require_safe
def show_after_match(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the rank and next step of the player, below the score sheet of a finished match."""
    context = _build_ranked_page(request, event_or_404(request, slug), linked=False)
    if page := context["page"]:
        context["table_place"] = describe_table_place(page)
    return render(request, "tournament/registration/after_match.html", context)


def _make_check_in_picture(request: HttpRequest, current_registration: Registration) -> str:
    """Return a QR code for check-in at the desk, or "" if none is needed."""
    event = current_registration.event
    is_expected = current_registration.is_participant and event.check_in_state != "off"
    if not is_expected or (
        current_registration.checked_in_at and not current_registration.absent_at
    ):
        return ""
    page = reverse("admin:event-check-in", args=[event.pk])
    return data_uri(request.build_absolute_uri(f"{page}?code={player_code(current_registration)}"))


def _build_player_page(request: HttpRequest, event: Event) -> PlayerContext:
    page = player_page(event, _get_user(request))
    in_play = count_tables_in_play(event)
    return {
        "event": event,
        "page": page,
        "shape": hash_public_facts(event),
        "in_play": in_play,
        "replay": "" if in_play else find_newest_replay(event),
    }


def _build_ranked_page(request: HttpRequest, event: Event, *, linked: bool = True) -> PlayerContext:
    """Return the context of the player's page, including the place.

    If `linked`, the place links to the leaderboard.
    """
    context = _build_player_page(request, event)
    if page := context["page"]:
        news, current_registration = current_news(event, context["shape"]), page.registration
        row, ending = (
            news.rows.get(current_registration.pk),
            find_player_outcome(event, current_registration),
        )
        people = len(news.rows) + news.board.hidden
        board = (
            f"{reverse('event-leaderboard', args=[event.slug])}#r{current_registration.pk}"
            if linked
            else ""
        )
        place = describe_own_place(event, row, people, board)
        context |= {"row": row, "own_place": "" if place in page.next_step else place}
        context |= {"place_hidden": is_place_hidden(event, row), "ending": ending}
        context |= {"winner": ending.winner if ending else None}
    return context


@login_required
@require_safe
def redirect_to_my_table(request: HttpRequest) -> HttpResponse:
    """Redirect to the user's table in the event that is in progress, or to their events."""
    event = find_current_event(_get_user(request))
    return redirect("my-table", event.slug) if event else redirect("my-events")


@require_safe
def show_own_match(request: HttpRequest) -> HttpResponse:
    """Show the header's notice of a match in progress. Open pages fetch it regularly."""
    return render(request, "tournament/common/own_match.html")


@login_required
@require_safe
def my_events(request: HttpRequest) -> HttpResponse:
    """Show the user's events, newest first."""
    registrations = list(
        Registration.objects.filter(user=_get_user(request))
        .exclude(event__state=Event.State.DRAFT)
        .select_related("event")
        .order_by("-event__starts_at", "-pk")
    )
    seats, endings = list_current_seats(_get_user(request)), find_first_outcomes(registrations)
    # Events in which the user is playing now come first.
    registrations.sort(key=lambda each: not _is_playing(seats.get(each.event_id)))
    rows = [(each, seats.get(each.event_id), endings.get(each.pk)) for each in registrations]
    context = {
        "registrations": rows,
        "live": list_followed_slugs([each.event for each in registrations]),
    }
    context["places_soon"] = describe_hidden_places()
    return render(request, "tournament/registration/my_events.html", context)


def _is_playing(seat: CurrentSeat | None) -> bool:
    return seat is not None and seat.playing


@login_required
@get_or_post
def profile(request: HttpRequest) -> HttpResponse:
    """Show the forms for the name and avatar, and links to the other account pages."""
    user = _get_user(request)
    form = ProfileForm(request.POST or None, initial={"display_name": user.display_name})
    if request.method == "POST" and form.is_valid():
        user.display_name = form.cleaned_data["display_name"]
        user.save(update_fields=["display_name"])
        messages.success(request, _("Your name has been saved."))
        return redirect("profile")
    invited = filter_invitations_for(select_open_invitations(), user).exists()
    context: dict[str, object] = {
        "form": form,
        "has_factor": bool(list_second_factors(user)),
        "joined": is_linked(user),
        "invited": invited,
    }
    context |= {"name": str(user), "look": LookForm(user)}
    profile = PublicProfile.objects.filter(user=user).first()
    context |= {"public_page": profile, "public_form": PublicPageForm(profile)}
    return render(request, "account/profile.html", context, status=400 if form.errors else 200)


@login_required
@get_or_post
def sign_out_everywhere(request: HttpRequest) -> HttpResponse:
    """Sign the user out on all devices, including this one.

    This helps users who have lost a device. A GET request, such as the redirect after signing in,
    only redirects to the page with the button.
    """
    if request.method != "POST":
        return redirect("profile")
    accounts.sign_out_everywhere(_get_user(request))
    logout(request)
    messages.success(request, _("You have been signed out of all devices."))
    return redirect("account_login")


def _get_user(request: HttpRequest) -> User:
    assert isinstance(request.user, User)
    return request.user
