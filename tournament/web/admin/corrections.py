"""Preview of the seating while an organizer moves players."""

from typing import Any

from django.http import HttpRequest, JsonResponse
from django.template.loader import render_to_string

from tournament.common.refusals import RefusedError
from tournament.corrections.dry_run import trial
from tournament.seating.changes import move_players
from tournament.web.admin.base.pages import Action
from tournament.web.admin.rounds.rounds import RoundPage

# Placeholder for the required reason. It is never stored, because the change is rolled back.
REASON = "…"


class SeatingPreviewPage(RoundPage):
    """View that returns the tables and broken rules as `html`, or a refusal as `refused`."""

    view_right = "seats"

    def actions(self) -> dict[str, Action]:
        return {}

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> JsonResponse:
        try:
            return JsonResponse({"html": self._render_preview(request)})
        except RefusedError as refused:
            return JsonResponse({"refused": refused.sentence})

    def _render_preview(self, request: HttpRequest) -> str:
        moves = self.parse_moves(request.GET.getlist("move"))
        with trial(self.event):
            move_players(self.played, self.user, moves, REASON, seen=request.GET.get("seen"))
            context = {
                **self.build_seats_context(supposed=True),
                "event": self.event,
                "can": {"arrange": True},
            }
            context["moved"] = {registration.pk for registration, _target in moves}
            return render_to_string("admin/corrections/round_tables.html", context, request)
