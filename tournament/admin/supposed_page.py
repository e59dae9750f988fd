"""Seats as they would be after changes by hand that are not saved, for who drags names about."""

from typing import Any

from django.http import HttpRequest, JsonResponse
from django.template.loader import render_to_string

from tournament.admin.pages import Do
from tournament.admin.rounds import RoundPage
from tournament.services import Refused
from tournament.services.moving import supposed


class SupposedPage(RoundPage):
    """Answers `html`, the round's tables with the rules then broken, or `refused`, a sentence."""

    sees = "seats"

    def actions(self) -> dict[str, Do]:
        return {}

    def get(self, request: HttpRequest, *args: Any, **kwargs: Any) -> JsonResponse:
        try:
            return JsonResponse({"html": self._shown(request)})
        except Refused as refused:
            return JsonResponse({"refused": refused.message})

    def _shown(self, request: HttpRequest) -> str:
        moves = self.moves(request.GET.getlist("move"))
        with supposed(self.played, moves, seen=request.GET.get("seen")):
            context = {**self.seats(supposed=True), "event": self.event, "can": {"arrange": True}}
            context["moved"] = {who.pk for who, _to in moves}
            return render_to_string("admin/event/round_tables.html", context, request)
