"""Page of one table of a round, with the organizer's actions."""

from typing import Any

from django.contrib import messages
from django.http import HttpRequest, HttpResponseBase
from django.utils.translation import gettext as _

from games import facts
from tournament.common.refusals import RefusedError
from tournament.corrections.points import preview_result
from tournament.desk.available_actions import find_table_actions
from tournament.desk.proposals import list_pending_for_table
from tournament.models import Result, Table
from tournament.pure.codes import Code
from tournament.pure.texts import parse_whole
from tournament.results import queries as read
from tournament.results.reports import find_pending_report
from tournament.results.services import MAX_POINTS, enter_result, undo_result
from tournament.results.table_result import TableResult
from tournament.rounds import pauses
from tournament.rounds import services as rounds
from tournament.rounds.clocks import list_extra_times, sum_extra_times
from tournament.rounds.paper import describe_switch_effect
from tournament.web.admin.base.pages import Action, EventPage
from tournament.web.admin.people.staff import WAITS
from tournament.web.admin.rounds.rounds import set_table_paper


class TablePage(EventPage):
    """Page to manage a table: enter and correct its points, extend time and redo hands."""

    tab = "control"
    template_name = "admin/rounds/table.html"
    view_right = "see"
    action_rights = {
        **dict.fromkeys(("preview", "enter", "undo"), "results"),
        **dict.fromkeys(("paper", "time", "redo", "minutes", "turn"), "tables"),
    }
    found: TableResult
    table: Table

    def load(self) -> None:
        tables = Table.objects.filter(round__stage__event=self.event)
        self.found = read.result_of(self.find(tables, self.kwargs["table_id"]))
        self.table = self.found.table

    def get_title(self) -> str:
        return f"{self.table.round.stage}: {self.table}"

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        table_result = self.found
        report = find_pending_report(self.table)
        current_points: list[Any] = (
            report.points if report else table_result.points or [""] * len(table_result.seats)
        )
        shown_points = kwargs.pop("points", None) or current_points
        history = self.table.results.select_related("entered_by", "confirmed_by")
        waiting = read.find_waiting_entry(self.table.results.all())
        return super().get_context_data(
            table=self.table,
            found=table_result,
            may=find_table_actions(table_result, waiting),
            preview_first=table_result.final and not kwargs.get("previewed"),
            hand=facts.hand_in_play(self.table.match) if self.table.match else None,
            rows=list(
                zip(
                    table_result.seats,
                    shown_points,
                    table_result.points or shown_points,
                    strict=False,
                )
            ),
            most=MAX_POINTS,
            waiting=waiting,
            asked=list_pending_for_table(self.table, self.user),
            report=report,
            change=describe_switch_effect(self.table),
            earlier=self.table.match.continues if self.table.match else None,
            history=history,
            clocks=list_extra_times(self.table),
            lines=facts.round_trips(self.table.match) if self.table.match else {},
            reactions=facts.reactions(self.table.match) if self.table.match else [],
            seen=sum_extra_times(self.table),
            latest=next(
                (result for result in history if result.state == Result.State.CONFIRMED), None
            ),
            **kwargs,
        )

    def actions(self) -> dict[str, Action]:
        return {
            "undo": self.undo_entry,
            "paper": self.switch_paper,
            "time": self.give_turn_time,
            "minutes": self.extend_round,
            "turn": self.extend_turn,
            "redo": self.redo_hand,
        }

    def post(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
        form_actions = {"preview": self.preview, "enter": self.save_points}
        form_action = form_actions.get(request.POST.get("action", ""))
        return form_action() if form_action else super().post(request, *args, **kwargs)

    def _read_points(self) -> list[int]:
        fields = self.request.POST.getlist("points")
        try:
            return [int(value) for value in fields]
        except ValueError:
            raise RefusedError(
                Code.POINTS, _("Enter a whole number of points for every seat.")
            ) from None

    def preview(self) -> HttpResponseBase:
        """Show the effect of new points before they are saved."""
        try:
            points, reason = self._read_points(), self.text("reason")
            override = bool(self.text("override"))
            effect = preview_result(self.table, self.user, points, reason, override=override)
        except RefusedError as refused:
            return self.show_refusal(refused)
        context = self.get_context_data(
            points=points,
            effect=effect,
            reason=reason,
            previewed=True,
            override=override,
            doubted=override,
        )
        return self.render_to_response(context)

    def save_points(self) -> HttpResponseBase:
        """Save the points. If they are refused, show the form again with the input."""
        try:
            messages.success(self.request, self.enter_points())
        except RefusedError as refused:
            return self.show_refusal(refused)
        return self.redirect_when_done()

    def show_refusal(self, refused: RefusedError) -> HttpResponseBase:
        """Show the form again with the input and the error."""
        points, override = self.request.POST.getlist("points"), bool(self.text("override"))
        context = self.get_context_data(
            points=points,
            reason=self.text("reason"),
            refusal=refused.sentence,
            override=override,
            doubted=override or refused.code == Code.IMPOSSIBLE,
        )
        return self.render_to_response(context, status=422)

    def enter_points(self) -> str:
        points, reason = self._read_points(), self.text("reason")
        override = bool(self.text("override"))
        result = enter_result(self.table, self.user, points, reason, override=override)
        if result.state == Result.State.ENTERED:
            return _("Entered. The points will count once another organizer confirms them.")
        return _("The points have been saved and now count.")

    def undo_entry(self) -> str:
        result = self.find(self.table.results, self.text("result"))
        if undo_result(result, self.user, self.text("reason")):
            return str(WAITS)
        return _("Entry undone. The earlier result counts again.")

    def give_turn_time(self) -> str:
        seat = self.text("seat")
        chosen = self.find(self.table.seats, seat) if seat else None
        seconds, seen = parse_whole(self.text("seconds")), parse_whole(self.text("seen"))
        if seconds is None:
            raise RefusedError(Code.SECONDS, _("Enter the seconds as a whole number."))
        rounds.give_time(self.table, self.user, seconds, chosen, seen=seen)
        if chosen is None:
            return _("Everyone now has more time for each turn.")
        return _("{name} now has more time for each turn.").format(name=chosen)

    def extend_round(self) -> str:
        pauses.give_minutes(self.table, self.user, self._read_number("minutes"))
        return _("The round has been extended at this table, and the table has received a message.")

    def extend_turn(self) -> str:
        pauses.extend_turn(self.table, self.user, self._read_number("seconds"))
        return _("This turn has been extended, and the table has received a message.")

    def _read_number(self, name: str) -> int:
        number = parse_whole(self.text(name))
        if number is None:
            raise RefusedError(Code(name), _("Enter a whole number."))
        return number

    def redo_hand(self) -> str:
        number = parse_whole(self.text("hand"))
        if number is None:
            raise RefusedError(Code.HAND, _("Reload this page to see which hand is in progress."))
        rounds.redo_hand(self.table, self.user, number, self.text("reason"))
        return _(
            "Hand {number} is void, but its record will be kept. Hand {following} is being "
            "dealt in its place."
        ).format(number=number, following=number + 1)

    def switch_paper(self) -> str:
        return set_table_paper(self, self.table)
