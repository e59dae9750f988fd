"""Pages to draw, review, change, publish and start rounds."""

from collections.abc import Iterable
from functools import cached_property
from typing import Any

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.advancing.next_rounds import draw_round, next_round
from tournament.attendance.substitution import describe_reserve_effect, substitute_reserve
from tournament.common.refusals import RefusedError
from tournament.common.round_names import draw_text
from tournament.corrections.draws import keep_outdated_draw
from tournament.corrections.rounds import describe_undo, reopen_round, undo_round_start
from tournament.desk.available_actions import (
    find_round_actions,
    list_partner_pairs,
    list_round_page_seats,
)
from tournament.desk.proposals import count_pending_about
from tournament.desk.queries import can_be_seated, registration_counts, round_text
from tournament.mail import letters
from tournament.mail.deliveries import mail_counts
from tournament.models import Round, Stage, Table, TableSeat
from tournament.people.presence import count_present, find_gathering
from tournament.pure.arrangement import RULES
from tournament.pure.arrangement.repairs import Repair
from tournament.pure.codes import Code
from tournament.pure.texts import parse_whole
from tournament.rounds.paper import PaperProgress, set_paper
from tournament.rounds.services import start_round
from tournament.seating import queries as read
from tournament.seating.changes import (
    Move,
    change_seats,
    move_and_publish,
    move_players,
    propose_repair,
    repair_round,
)
from tournament.seating.left_out import LeftOutPlayers, find_left_out_players
from tournament.seating.mails import mail_seats
from tournament.seating.services import publish_round, unpublish_round
from tournament.stages.outdated_cuts import outdated_cut
from tournament.stages.outdated_draws import list_outdated_draws
from tournament.web.admin.base.pages import Action, EventPage, desk_url
from tournament.web.admin.people.staff import WAITS

DRAWN = gettext_lazy(
    "The seats for {drawn} have been drawn. Review them, make any changes, then publish them."
)


class DrawRoundPage(EventPage):
    """Base page with a button that draws a stage's next round and opens it."""

    drawn: Round | None = None

    def draw(self) -> str:
        self.drawn = draw_next_round(self.find(self.event.stages, self.text("stage")), self)
        return DRAWN.format(drawn=self.drawn)

    def redirect_when_done(self) -> HttpResponse:
        if self.drawn:
            return redirect(desk_url("round", self.event, self.drawn.pk))
        return super().redirect_when_done()


class RoundsPage(DrawRoundPage):
    """Page with the rounds of every stage, and a button that draws the next round."""

    title = gettext_lazy("Rounds")
    tab = "rounds"
    template_name = "admin/rounds/rounds.html"
    view_right = "see"
    action_rights = {"draw": "seats"}

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        stages = [
            self._build_stage_context(stage) for stage in self.event.stages.order_by("number")
        ]
        asks_about_left_out = any(
            isinstance(row["left_out"], LeftOutPlayers) and row["left_out"].needs_confirmation
            for row in stages
        )
        too_few_players = not can_be_seated(self.event, registration_counts(self.event))
        present = count_present(self.event)
        return super().get_context_data(
            stages=stages,
            few=too_few_players,
            present=present,
            doubted=asks_about_left_out,
            **kwargs,
        )

    def _build_stage_context(self, stage: Stage) -> dict[str, object]:
        rounds = list(stage.rounds.order_by("number"))
        next_round_ = next_round(stage)
        return {
            "stage": stage,
            "rounds": [(round_, round_text(round_)) for round_ in rounds],
            "next": draw_text(next_round_) if next_round_ else "",
            "version": read.compute_version(stage, next_round_.number) if next_round_ else "",
            "left_out": find_left_out_players(stage, next_round_.number) if next_round_ else None,
        }

    def actions(self) -> dict[str, Action]:
        return {"draw": self.draw}


class RoundPage(EventPage):
    """Page of a round's tables, to review the seats, change them by hand and publish them."""

    tab = "rounds"
    template_name = "admin/rounds/round.html"
    view_right = "see"
    action_rights = {
        **dict.fromkeys(("draw", "change", "arrange", "repair", "reserve"), "seats"),
        **dict.fromkeys(("publish", "unpublish", "leave"), "seats"),
        **dict.fromkeys(("start", "unstart", "reopen", "mail"), "seats"),
        "paper": "tables",
    }
    played: Round
    plan: read.SeatingReview

    def load(self) -> None:
        rounds = Round.objects.filter(stage__event=self.event).select_related("stage__event")
        self.played = self.find(rounds, self.kwargs["round_id"])

    def get_title(self) -> str:
        return self.played.title

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        return super().get_context_data(
            **self.build_seats_context(),
            hard=read.list_issues_to_explain(self.played, self.plan),
            seated=self._list_players_by_table(),
            rules=self._list_rule_costs(),
            repair=self._propose_repair(),
            reserve=self._build_reserve(),
            mails=mail_counts(self.played),
            mails_work=letters.can_deliver(),
            waits=count_pending_about(self.event, self.played),
            taking_back=describe_undo_effect(self.played),
            outdated_cut=outdated_cut(self.event),
            outdated_draws=list_outdated_draws(self.event),
            left_out=self._find_left_out(),
            **kwargs,
        )

    def build_seats_context(self, *, supposed: bool = False) -> dict[str, object]:
        """Return the tables and their problems. If `supposed`, unsaved changes are included."""
        # Computed before the seats are read, so that changes in between count as unseen.
        version = read.compute_version(self.played.stage, self.played.number)
        self.plan = plan = read.review_seats(self.played)
        shown_above = self.played.state == Round.State.DRAFT and not supposed
        explained = parse_whole(self.request.GET.get("why", ""))
        return {
            "played": self.played,
            "version": version,
            "supposed": supposed,
            "tables": [
                (
                    table,
                    list_round_page_seats(table, plan, explained),
                    plan.broken_at(table.number),
                    list_partner_pairs(table),
                )
                for table in self.tables
            ],
            "general": [
                each
                for each in plan.quality.broken
                if not (each.table or (each.hard and shown_above))
            ],
            "sitting_out": plan.sitting_out,
            "byes": list(self.event.registrations.filter(pk__in=self.played.seating.byes)),
            "may": find_round_actions(self.played),
            "bracket": self.played.stage.format == Stage.Format.BRACKET,
            "gathering": find_gathering(self.played),
        }

    @cached_property
    def tables(self) -> list[Table]:
        tables = self.played.tables.select_related("round__stage")
        return list(tables.prefetch_related(read.prefetch_sitters()))

    def _list_players_by_table(self) -> list[tuple[Table, list[TableSeat]]]:
        members = (
            [seat for seat in table.seats.all() if seat.registration] for table in self.tables
        )
        return list(zip(self.tables, members, strict=True))

    def _list_rule_costs(self) -> list[tuple[str, int, int]]:
        costs, bounds = self.plan.quality.costs, self.plan.quality.bounds
        return [(_(text), costs.get(key, 0), bounds.get(key, 0)) for key, text in RULES.items()]

    def _find_left_out(self) -> LeftOutPlayers | None:
        """Return the players whom a new draw would leave out."""
        draft = self.played.state == Round.State.DRAFT
        return find_left_out_players(self.played.stage, self.played.number) if draft else None

    def _propose_repair(self) -> Repair | None:
        if self.played.state in (Round.State.RUNNING, Round.State.CLOSED):
            return None
        return propose_repair(self.played)

    def _build_reserve(self) -> dict[str, object]:
        """Return the effect of replacing an absent player with a reserve, or the refusal."""
        absent_id = parse_whole(self.request.GET.get("reserve", "")) or 0
        absent = self.event.registrations.filter(pk=absent_id).first()
        if absent is None:
            return {}
        try:
            return {"absent": absent, "told": describe_reserve_effect(self.played, absent)}
        except RefusedError as refused:
            return {"absent": absent, "refusal": refused.sentence}

    def actions(self) -> dict[str, Action]:
        return {
            "draw": self.draw,
            "change": self.change_seat,
            "arrange": self.move_players,
            "repair": self.repair,
            "reserve": self.seat_reserve,
            "publish": self.publish,
            "mail": self.email_seats,
            "unpublish": self.unpublish,
            "start": self.start,
            "unstart": self.undo_start,
            "reopen": self.reopen,
            "paper": self.switch_medium,
            "leave": self.keep_draw,
        }

    def draw(self) -> str:
        self.played = draw_next_round(self.played.stage, self)
        return _("The seats for {played} have been redrawn. Review them.").format(
            played=self.played
        )

    def change_seat(self) -> str:
        if not self.text("player"):
            raise RefusedError(Code.PLAYER, _("Choose the player to move and where to move them."))
        registration = self.find(self.event.registrations, self.text("player"))
        target, reason = self.text("target"), self.text("reason")
        change_seats(self.played, self.user, registration, target, reason, seen=seen_version(self))
        return _("{name} has been moved.").format(name=registration.name)

    def move_players(self) -> str:
        moves = self.list_moves()
        move_players(self.played, self.user, moves, self.text("reason"), seen=seen_version(self))
        text = ngettext("{count} change saved.", "{count} changes saved.", len(moves))
        return text.format(count=len(moves))

    def list_moves(self) -> list[Move]:
        """Return the unsaved changes on the page."""
        return self.parse_moves(self.request.POST.getlist("move"))

    def parse_moves(self, values: Iterable[str]) -> list[Move]:
        """Parse moves of players, each in the form "registration>target"."""
        parts = (each.partition(">") for each in values)
        return [
            (self.find(self.event.registrations, registration_id), target)
            for registration_id, _arrow, target in parts
        ]

    def repair(self) -> str:
        repair_round(self.played, self.user, self.text("reason"), seen=seen_version(self))
        return _("The seats have been adjusted.")

    def seat_reserve(self) -> str:
        absent = self.find(self.event.registrations, self.text("player"))
        reason = self.text("reason")
        substitute = substitute_reserve(
            self.played, absent, self.user, reason, seen=seen_version(self)
        )
        if substitute is None:
            return str(WAITS)
        return _("{coming} replaces {name}.").format(coming=substitute.name, name=absent.name)

    def publish(self) -> str:
        reason = self.text("reason")
        if moves := self.list_moves():
            move_and_publish(self.played, self.user, moves, reason, seen=seen_version(self))
        else:
            publish_round(self.played, self.user, reason, seen=seen_version(self))
        if self.text("mails"):
            mail_seats(self.played, self.user, self.my_table_url)
        return _("{played} has been published. Players can see their seats.").format(
            played=self.played
        )

    def email_seats(self) -> str:
        count = mail_seats(self.played, self.user, self.my_table_url)
        if not count:
            return _("Every player with a seat has already been emailed or has no email address.")
        text = ngettext(
            "Emailing {count} player their seat.", "Emailing {count} players their seats.", count
        )
        return text.format(count=count)

    def keep_draw(self) -> str:
        keep_outdated_draw(self.played, self.user, self.text("mismatch"), self.text("reason"))
        return _("The seats of {played} stay as they are.").format(played=self.played)

    def unpublish(self) -> str:
        unpublish_round(self.played, self.user, self.text("reason"))
        return _("{played} is a draft again.").format(played=self.played)

    def start(self) -> str:
        start_round(self.played, self.user)
        self.started = True
        return _("{played} has started.").format(played=self.played)

    def undo_start(self) -> str:
        undo_round_start(self.played, self.user, self.text("reason"))
        return _("The start of {played} has been undone.").format(played=self.played)

    def reopen(self) -> str:
        if reopen_round(self.played, self.user, self.text("reason")):
            return str(WAITS)
        self.started = True
        return _("{played} has been reopened.").format(played=self.played)

    def switch_medium(self) -> str:
        table = self.find(self.played.tables, self.text("table"))
        return set_table_paper(self, table)

    def redirect_when_done(self) -> HttpResponse:
        if getattr(self, "started", False):
            return redirect(desk_url("control", self.event))
        return redirect(desk_url("round", self.event, self.played.pk))


def describe_undo_effect(round_: Round) -> dict[str, object]:
    """Describe the effect of undoing the round's start or end, or why that is refused."""
    try:
        return {"effect": describe_undo(round_)}
    except RefusedError as refused:
        return {"refusal": refused.sentence}


def seen_version(page: EventPage) -> str | None:
    """Return the version of the seats that the page showed."""
    return page.request.POST.get("seen")


def draw_next_round(stage: Stage, page: EventPage) -> Round:
    """Draw the stage's next round.

    Players whom the organizer chose to leave out on the page get no seat.
    """
    left_out_ids = [
        key for key in map(parse_whole, page.text("without").split()) if key is not None
    ]
    return draw_round(
        stage, page.user, page.text("reason"), seen=seen_version(page), without=left_out_ids
    )


def try_draw_next_round(page: EventPage, stage: Stage) -> Round | None:
    """Draw the stage's next round after another action, and return it.

    If the draw is refused, show a warning and return None. The other action remains in effect.
    """
    try:
        return draw_round(stage, page.user)
    except RefusedError as refused:
        messages.warning(page.request, refused.sentence)
        return None


def set_table_paper(page: EventPage, table: Table) -> str:
    """Switch a table to physical cards, or back if the form does not contain `paper`."""
    paper = page.text("paper") == "yes"
    progress = None if paper else _read_paper_progress(page)
    changed = set_paper(table, page.user, paper, page.text("reason"), progress)
    if changed.paper != paper:
        return str(WAITS)
    if paper:
        return _("Table {number} has switched to physical cards.").format(number=table.number)
    return _("Table {number} has switched to playing on the site.").format(number=table.number)


def _read_paper_progress(page: EventPage) -> PaperProgress | None:
    """Return the submitted points and number of hands from play with physical cards.

    Returns None if the form has no points.
    """
    fields, hands = page.request.POST.getlist("points"), parse_whole(page.text("hands"))
    if not fields:
        return None
    points = [value for value in map(parse_whole, fields) if value is not None]
    if hands is None or len(points) < len(fields):
        text = _("Enter the points for every seat and the number of hands as whole numbers.")
        raise RefusedError(Code.POINTS, text)
    return PaperProgress(points, hands)
