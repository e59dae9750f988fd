"""The control room, a page with all tables of the current round and actions for them."""

from collections.abc import Container
from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.advancing.next_rounds import has_following_round
from tournament.common.refusals import RefusedError
from tournament.desk import control
from tournament.models import RefereeCall, Round, Table
from tournament.people.presence import find_gathering
from tournament.people.staff.commentary import is_commentator
from tournament.pure.codes import Code
from tournament.push.figures import push_counts
from tournament.rounds import announcements, calls
from tournament.rounds import services as rounds
from tournament.stages.outdated_cuts import outdated_cut
from tournament.stages.outdated_draws import list_outdated_draws
from tournament.web.admin.base.pages import Action, EventPage, desk_url
from tournament.web.admin.rounds.rounds import DRAWN, try_draw_next_round


class ControlPage(EventPage):
    """Page with the state, hand, points, turn and absences of each table.

    The query parameter `part` returns only the tables.
    """

    title = gettext_lazy("Control room")
    tab = "control"
    template_name = "admin/desk/control.html"
    view_right = "see"
    action_rights = {
        "pause": "tables",
        "resume": "tables",
        "abandon": "tables",
        "take": "tables",
        "settle": "tables",
        "close": "seats",
        "close-draw": "seats",
    }

    @property
    def part(self) -> bool:
        """True if only the tables are requested. Open pages reload them regularly."""
        return "part" in self.request.GET

    def get_template_names(self) -> list[str]:
        return ["admin/desk/control_tables.html"] if self.part else super().get_template_names()

    def get_frame_context(self) -> dict[str, object]:
        """Return the context of everything around the tables, or {} if only they are requested."""
        if self.part:
            return {}
        return super().get_frame_context() | {"push_summary": push_counts(self.event).sentence}

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        control_room = control.control_room(self.event)
        return super().get_context_data(
            room=control.filter_rows(control_room, self.show, self.sort) if control_room else None,
            whole=control_room,
            choices=control.list_filters(control_room) if control_room else [],
            sorts=control.sort_titles(),
            nothing=control.no_matches_message(self.show),
            show=self.show,
            sort=self.sort,
            sent=announcements.filter_shown_messages(self.event.desk_messages.all()).count,
            commentates=is_commentator(self.event, self.user),
            followed=has_following_round(control_room.round)
            if control_room and control_room.all_finished
            else False,
            **self._find_outdated(),
            gathering=find_gathering(control_room.round) if control_room else None,
            **kwargs,
        )

    def _find_outdated(self) -> dict[str, object]:
        """Return the cut and the draws that no longer match the results.

        Returns {} if only the tables are requested.
        """
        if self.part:
            return {}
        return {
            "outdated_cut": outdated_cut(self.event),
            "outdated_draws": list_outdated_draws(self.event),
        }

    @property
    def show(self) -> str:
        """The selected filter."""
        return self._read_choice("show", control.FILTERS, "all")

    @property
    def sort(self) -> str:
        """The selected sort order."""
        return self._read_choice("sort", control.SORTS, "attention")

    def _read_choice(self, name: str, allowed: Container[str], default: str) -> str:
        choice = self.request.GET.get(name, default)
        return choice if choice in allowed else default

    def actions(self) -> dict[str, Action]:
        return {
            "pause": self.pause,
            "resume": self.resume,
            "abandon": self.abandon_table,
            "close": self.close_round,
            "close-draw": self.close_and_draw,
            "take": self.take_call,
            "settle": self.settle_call,
        }

    def _find_round(self) -> Round:
        own_rounds = Round.objects.filter(stage__event=self.event).select_related("stage__event")
        round_: Round = self.find(own_rounds, self.text("round"))
        return round_

    def _find_table(self) -> Table | None:
        tables = Table.objects.filter(round=self._find_round())
        return self.find(tables, self.text("table")) if self.text("table") else None

    def pause(self) -> str:
        count = rounds.pause(self._find_round(), self.user, self._find_table())
        return ngettext("{count} table paused.", "{count} tables paused.", count).format(
            count=count
        )

    def resume(self) -> str:
        count = rounds.resume(self._find_round(), self.user, self._find_table())
        if not count:
            return _("No tables were paused.")
        return ngettext("{count} table resumed.", "{count} tables resumed.", count).format(
            count=count
        )

    def take_call(self) -> str:
        call = calls.take_call(self._find_call(), self.user)
        return _("{table}: the players know that a referee is on the way.").format(table=call.table)

    def settle_call(self) -> str:
        call = calls.settle_call(self._find_call(), self.user)
        return _("{table}: the referee call has been settled.").format(table=call.table)

    def _find_call(self) -> RefereeCall:
        own_calls = RefereeCall.objects.filter(table__round__stage__event=self.event)
        call: RefereeCall = self.find(
            own_calls.select_related("table__round__stage"), self.text("call")
        )
        return call

    def abandon_table(self) -> str:
        table = self._find_table()
        if table is None:
            raise RefusedError(Code.NO_TABLE, _("Choose a table."))
        rounds.abandon_table(table, self.user, self.text("reason"))
        return _("{table}: the match has been abandoned.").format(table=table)

    def close_round(self) -> str:
        round_ = rounds.close_round(self._find_round(), self.user, self.text("reason"))
        self.closed = True
        return _("{played} is closed.").format(played=round_)

    def close_and_draw(self) -> str:
        sentence = self.close_round()
        self.drawn = try_draw_next_round(self, self._find_round().stage)
        return f"{sentence} {DRAWN.format(drawn=self.drawn)}" if self.drawn else sentence

    def redirect_when_done(self) -> HttpResponse:
        if drawn := getattr(self, "drawn", None):
            return redirect(desk_url("round", self.event, drawn.pk))
        if getattr(self, "closed", False):
            return redirect(desk_url("desk", self.event))
        return redirect(self.request.get_full_path())
