"""Desk pages for the rulings about one player, and for all rulings of an event."""

from typing import Any

from django.http import HttpRequest, HttpResponseBase
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.common.refusals import RefusedError
from tournament.corrections.rulings import preview_new_ruling
from tournament.desk.proposals import list_pending_for_player
from tournament.models import Event, Registration, Ruling
from tournament.pure.codes import Code
from tournament.pure.texts import parse_whole
from tournament.rounds.running_seats import find_running_seat
from tournament.rulings import conduct
from tournament.rulings.effects import RulingRequest
from tournament.rulings.services import MAX_POINTS, WHILE_PLAYING, rule, undo_ruling
from tournament.web.admin.base.pages import Action, EventPage
from tournament.web.admin.people.staff import WAITS

Kind = Ruling.Kind


class PlayerRulingsPage(EventPage):
    """Page of a player's rulings.

    A preview shows the effect of a ruling before the organizer confirms it.
    """

    tab = "rulings"
    template_name = "admin/rulings/player.html"
    view_right = "see_log"
    action_rights = dict.fromkeys(("preview", "rule", "take-back"), "rulings")
    registration: Registration

    def load(self) -> None:
        people = self.event.registrations.select_related("user")
        self.registration = self.find(people, self.kwargs["registration_id"])

    def get_title(self) -> str:
        return self.registration.name

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        seat = find_running_seat(self.registration)
        has_own_seat = seat is not None and seat.sitter == self.registration and not seat.forfeited
        return super().get_context_data(
            registration=self.registration,
            seat=seat,
            asked=list_pending_for_player(self.registration, self.user),
            offers=self._list_offers(at_table=has_own_seat),
            record=conduct.find_conduct_record(self.registration),
            people=conduct.list_free_players(self.event) if has_own_seat else [],
            usual=conduct.USUAL_POINTS,
            most=MAX_POINTS,
            **kwargs,
        )

    def _list_offers(self, *, at_table: bool) -> list[tuple[str, str]]:
        """Return the kinds of ruling that are possible now, with the labels of their buttons."""
        if self.registration.state in Registration.GONE:
            return []
        kinds = [kind for kind in BUTTONS if at_table or kind not in WHILE_PLAYING]
        if self.event.state == Event.State.FINISHED:
            kinds.remove(Kind.LEAVE)
        return [(kind, str(BUTTONS[kind])) for kind in kinds]

    def actions(self) -> dict[str, Action]:
        return {"rule": self.rule, "take-back": self.take_back}

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        if request.POST.get("action") == "preview":
            return self.preview()
        return super().post(request, *args, **kwargs)

    def build_request(self) -> RulingRequest:
        """Return the ruling that the form requests.

        Raises RefusedError with the code `kind`.
        """
        if self.text("kind") not in Kind.values:
            raise RefusedError(Code.KIND, _("Choose a ruling."))
        chosen = self.text("substitute")
        points = parse_whole(self.text("points"))
        has_points = self.text("kind") == Kind.POINTS
        return RulingRequest(
            kind=self.text("kind"),
            registration=self.registration,
            substitute=self.find(self.event.registrations, chosen) if chosen else None,
            points=(points or 0) if has_points else 0,
        )

    def preview(self) -> HttpResponseBase:
        """Show the effect of a ruling before it is made."""
        fields = {name: self.text(name) for name in ("kind", "reason", "substitute", "points")}
        try:
            ruling = self.build_request()
            effect = preview_new_ruling(self.event, self.user, ruling, self.text("reason"))
        except RefusedError as refused:
            context = self.get_context_data(given=fields, refusal=refused.sentence)
            return self.render_to_response(context, status=422)
        button = BUTTONS[Kind(ruling.kind)]
        return self.render_to_response(
            self.get_context_data(given=fields, preview=effect, button=button)
        )

    def rule(self) -> str:
        if rule(self.event, self.user, self.build_request(), self.text("reason")):
            return str(WAITS)
        return _("Ruling recorded. You can undo it below.")

    def take_back(self) -> str:
        ruling = self.find(self.registration.rulings, self.text("ruling"))
        if undo_ruling(ruling, self.user, self.text("reason")):
            return str(WAITS)
        return _("Undone.")


# Labels of the buttons, in the order in which they are shown.
BUTTONS = {
    Kind.CAUTION: gettext_lazy("Caution"),
    Kind.WARNING: gettext_lazy("Warn"),
    Kind.POINTS: gettext_lazy("Deduct points"),
    Kind.BOT: gettext_lazy("Let a bot play until they return"),
    Kind.SUBSTITUTE: gettext_lazy("Seat a substitute"),
    Kind.FORFEIT: gettext_lazy("Forfeit this match"),
    Kind.LEAVE: gettext_lazy("Mark as gone"),
    Kind.DISQUALIFY: gettext_lazy("Disqualify"),
}


class EventRulingsPage(EventPage):
    """Page with all rulings about players, newest first."""

    title = gettext_lazy("Rulings")
    tab = "rulings"
    template_name = "admin/rulings/conduct.html"
    view_right = "see_log"

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        return super().get_context_data(rulings=conduct.rulings_of(self.event), **kwargs)
