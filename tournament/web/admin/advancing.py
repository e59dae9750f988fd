"""Pages for the standings, the players who advance, and the bracket."""

import json
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from tournament.advancing.cut_rows import CutRow, fold_rows
from tournament.advancing.next_rounds import next_round
from tournament.advancing.playoffs import enter_playoff_order, undo_playoff_order
from tournament.advancing.services import (
    decide_next_round,
    preview_cut,
    qualify,
    reopen_event,
    undo_qualify,
)
from tournament.common.refusals import RefusedError
from tournament.common.round_names import draw_text
from tournament.corrections.cuts import keep_outdated_cut
from tournament.hall.queries import bracket
from tournament.models import Registration, Round, Stage
from tournament.planning.qualification_odds import (
    add_chances,
    bracket_with_chances,
    describe_chance,
    group_by_play,
    load_outlook,
    sort_shares,
)
from tournament.pure import brackets, qualifying
from tournament.pure.codes import Code
from tournament.pure.ranking import StandingsRow
from tournament.pure.texts import parse_whole
from tournament.registration.services import withdraw
from tournament.results.stages import StageResults, stage_results
from tournament.rounds.services import is_stage_played
from tournament.seating.bracket_rounds import describe_path_to_final
from tournament.seating.queries import compute_version
from tournament.stages.cut import (
    CutRule,
    find_cutting_stage,
    list_cut_warnings,
    list_cutting_stages,
    propose_rule,
    rule_of,
    rule_text,
)
from tournament.stages.line import count_above, line_of
from tournament.stages.margins import get_metric_title, margins
from tournament.stages.outdated_cuts import OutdatedCut, outdated_cut
from tournament.stages.outdated_draws import list_outdated_draws
from tournament.stages.walkover import find_sole_player
from tournament.standings.queries import leaderboard
from tournament.web.admin.base.generic import AnyForm
from tournament.web.admin.base.pages import Action, EventPage, desk_url
from tournament.web.admin.people.staff import WAITS
from tournament.web.admin.rounds.rounds import DRAWN, try_draw_next_round


class StandingsPage(EventPage):
    """Page with the leaderboard and all metrics, for the event or one stage."""

    title = gettext_lazy("Standings")
    tab = "standings"
    template_name = "admin/advancing/standings.html"
    view_right = "see"

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        stages = list(self.event.stages.order_by("number"))
        number = self.request.GET.get("stage", "")
        stage = next((each for each in stages if str(each.number) == number), None)
        board = leaderboard(self.event, stage, actual=True, figures=True)
        return super().get_context_data(
            board=add_chances(board, public=False),
            stages=stages,
            stage=stage,
            **kwargs,
        )

    def actions(self) -> dict[str, Action]:
        return {"reopen": self.reopen}

    def reopen(self) -> str:
        reopen_event(self.event, self.user, self.text("reason"))
        return _("The announcement has been undone.")


# Label of the number in each rule that has one.
NUMBER_LABELS = {
    Stage.Rule.NUMBER: gettext_lazy("Players who advance"),
    Stage.Rule.SHARE: gettext_lazy("Percentage of the players who took part"),
    Stage.Rule.TOP_K: gettext_lazy("Players per table"),
}


class CutForm(AnyForm):
    """Form for the stage's rule for advancing."""

    class Meta:
        model = Stage
        fields = ["qualify_rule", "qualify_value", "cut_ties", "min_matches"]

    def number_labels(self) -> str:
        """Return the labels of the numbers in rules, as JSON for the page's script."""
        return json.dumps({rule: str(title) for rule, title in NUMBER_LABELS.items()})

    def rule(self) -> CutRule:
        data = self.cleaned_data
        return CutRule(
            data["qualify_rule"], data["qualify_value"], data["cut_ties"], data["min_matches"]
        )


class QualifyPage(EventPage):
    """Page to try rules for advancing (GET) and to confirm one of them (POST)."""

    title = gettext_lazy("Who advances")
    tab = "qualify"
    template_name = "admin/advancing/qualify.html"
    view_right = "see"
    stage: Stage

    def load(self) -> None:
        number = self.request.GET.get("stage", "")
        stage = find_cutting_stage(self.event, parse_whole(number))
        if stage is None:
            raise Http404("Nobody goes through from there.")
        self.stage = stage

    @cached_property
    def results(self) -> StageResults:
        """The stage's results, to which each rule is applied."""
        return stage_results(self.stage)

    def _read_tried_rule(self) -> tuple[CutForm, CutRule, str]:
        """Return the form, the rule to try, and a sentence about the proposed rule.

        The rule to try is the submitted one, or otherwise the proposed one. The sentence is "" if
        a rule was submitted, or if the stored rule is proposed.
        """
        submitted = self.request.GET if "qualify_rule" in self.request.GET else None
        stored, proposed = rule_of(self.stage), propose_rule(self.results)
        initial = {"qualify_rule": proposed.kind, "qualify_value": proposed.value}
        form = CutForm(submitted, instance=self.stage, initial=initial)
        rule = form.rule() if submitted and form.is_valid() else proposed
        return form, rule, "" if submitted or proposed == stored else rule_text(proposed)

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        form, rule, proposed = self._read_tried_rule()
        try:
            outcome, problem = preview_cut(self.results, rule), ""
        except RefusedError as refused:
            outcome, problem = None, refused.sentence
        cut = outcome if self.stage.state != Stage.State.CLOSED else None
        line = line_of(self.results)
        return super().get_context_data(
            stage=self.stage,
            line=line.sentence if line else "",
            headline=get_metric_title(self.standings_rows),
            cuts=list_cutting_stages(self.event),
            form=form,
            rule=rule,
            proposed=proposed,
            outcome=outcome,
            problem=problem,
            ready=is_stage_played(self.stage),
            doubts=list_cut_warnings(self.results, outcome) if outcome else [],
            rows=fold_rows(self._list_rows(rule, outcome)) if outcome else {},
            playoffs=_list_playoffs(cut.playoffs, self.results.registrations) if cut else [],
            entered=_list_playoffs(cut.played, self.results.registrations) if cut else [],
            outdated_cut=self.outdated_cut,
            **kwargs,
        )

    @cached_property
    def standings_rows(self) -> list[StandingsRow]:
        """The standings without random tie-breaks, to which the rules are applied."""
        return self.results.rows(lots=False)

    def _list_rows(self, rule: CutRule, outcome: qualifying.Cut) -> list[CutRow]:
        players = [row.player for row in self.standings_rows]
        distances = margins(self.standings_rows, count_above(rule, outcome, players))
        missed = outcome.just_missed if outcome.through else ()
        badges = self._choose_badges(outcome)
        forecast = load_outlook(self.event, public=False)
        raw_shares = forecast.shares if forecast and forecast.stage == self.stage.number else {}
        shares = sort_shares(raw_shares, group_by_play(self.results, self.standings_rows))
        return [
            CutRow(
                decision,
                distances[decision.player],
                decision.player in missed,
                badges.get(decision.player, ""),
                describe_chance(shares.get(decision.player)),
            )
            for decision in outcome.decisions
        ]

    def _choose_badges(self, outcome: qualifying.Cut) -> dict[int, str]:
        """Return the players' badges for the cut that was made, or for the rule being tried."""
        if self.stage.state != Stage.State.CLOSED:
            return dict.fromkeys(outcome.through, "through")
        following = self.event.stages.filter(number=self.stage.number + 1, qualifiers__active=True)
        advanced = set(following.values_list("qualifiers__registration_id", flat=True))
        return _list_badges(advanced, self.outdated_cut)

    @cached_property
    def outdated_cut(self) -> OutdatedCut | None:
        return outdated_cut(self.event)

    def actions(self) -> dict[str, Action]:
        return {
            "confirm": self.confirm,
            "confirm-draw": self.confirm_and_draw,
            "undo": self.undo,
            "leave": self.keep_cut,
            "playoff": self.enter_playoff_order,
            "take-back": self.undo_playoff_order,
        }

    def keep_cut(self) -> str:
        shown = {key: _parse_id_list(self.text(key)) for key in ("in", "out")}
        keep_outdated_cut(self.event, self.user, shown, self.text("reason"))
        return _("The players confirmed earlier still advance.")

    def confirm(self) -> str:
        form = CutForm(self.request.POST, instance=self.stage)
        if not form.is_valid():
            raise RefusedError(Code.RULE, _("Choose a rule first."))
        expected = _parse_id_list(self.text("through"))
        sure = self.text("sure") == "yes"
        qualifiers = qualify(self.stage, self.user, form.rule(), expected, sure=sure)
        self.through = bool(qualifiers)
        if not qualifiers:
            return _("{stage} is closed.").format(stage=self.stage)
        return ngettext(
            "{count} player advances.", "{count} players advance.", len(qualifiers)
        ).format(count=len(qualifiers))

    def confirm_and_draw(self) -> str:
        sentence = self.confirm()
        following = self.event.stages.get(number=self.stage.number + 1)
        self.drawn = try_draw_next_round(self, following) if self.through else None
        return f"{sentence} {DRAWN.format(drawn=self.drawn)}" if self.drawn else sentence

    def undo(self) -> str:
        undo_qualify(self.stage, self.user, self.text("reason"))
        return _("{stage} has been reopened.").format(stage=self.stage)

    def enter_playoff_order(self) -> str:
        _form, rule, _proposed = self._read_tried_rule()
        is_pending = enter_playoff_order(
            self.stage, self.user, _read_finishing_order(self.request), rule
        )
        return str(WAITS if is_pending else ENTERED)

    def undo_playoff_order(self) -> str:
        is_pending = undo_playoff_order(self.stage, self.user, _read_players(self.request))
        return str(WAITS if is_pending else TAKEN_BACK)

    def redirect_when_done(self) -> HttpResponse:
        if drawn := getattr(self, "drawn", None):
            return redirect(desk_url("round", self.event, drawn.pk))
        if getattr(self, "through", False):
            following = self.event.stages.get(number=self.stage.number + 1)
            bracket = following.format == Stage.Format.BRACKET
            return redirect(desk_url("bracket" if bracket else "rounds", self.event))
        return redirect(self.request.get_full_path())


def _parse_id_list(text: str) -> list[int]:
    return _parse_ids(text.split(","))


def _parse_ids(keys: Iterable[str]) -> list[int]:
    """Return the ids in these texts, and ignore invalid ones."""
    return [pk for pk in map(parse_whole, keys) if pk is not None]


def _list_badges(advanced: set[int], outdated: OutdatedCut | None) -> dict[int, str]:
    """Return a badge for each player who advanced or for whom the cut is wrong."""
    badges = dict.fromkeys(advanced, "through")
    if outdated:
        badges |= {person.pk: "surplus" for person in outdated.surplus}
        badges |= {person.pk: "missing" for person in outdated.missing}
    return badges


def _list_playoffs(
    playoffs: tuple[qualifying.Playoff, ...], people: Mapping[int, Registration]
) -> list[dict[str, object]]:
    return [{"playoff": each, "players": [people[pk] for pk in each.players]} for each in playoffs]


ENTERED = gettext_lazy("The finishing order of the tie-break hand has been saved.")
TAKEN_BACK = gettext_lazy("The finishing order of the tie-break hand has been removed.")


def _read_players(request: HttpRequest) -> list[int]:
    """Return the submitted players of the tie-break hand."""
    return _parse_ids(request.POST.getlist("player"))


def _read_finishing_order(request: HttpRequest) -> list[int]:
    """Return the players of the tie-break hand in their submitted finishing order."""
    places = request.POST.getlist("place")
    try:
        pairs = sorted(zip(map(int, places), _read_players(request), strict=True))
    except ValueError:
        raise RefusedError(Code.ORDER, _("Enter a place for every player in the hand.")) from None
    if len({place for place, _player in pairs}) < len(pairs):
        raise RefusedError(Code.ORDER, _("Give each player in the hand a different place."))
    return [player for _place, player in pairs]


class BracketPage(EventPage):
    """Page of the bracket, with its players, upcoming rounds, tie-break hands and replacements."""

    title = gettext_lazy("Bracket")
    tab = "bracket"
    template_name = "admin/advancing/bracket.html"
    view_right = "see"

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        stage_view = bracket_with_chances(self.event, public=False)
        plans, problem = self._describe_path(stage_view.stage) if stage_view else ([], "")
        next_round_plan = self._plan_next_round(stage_view.stage) if stage_view else None
        people = self.event.registrations.in_bulk() if next_round_plan else {}
        return super().get_context_data(
            bracket=stage_view,
            brackets=[] if stage_view else self._list_brackets(),
            plans=plans,
            problem=problem,
            playoffs=_list_playoffs(next_round_plan.playoffs, people) if next_round_plan else [],
            entered=_list_playoffs(next_round_plan.played, people) if next_round_plan else [],
            outdated_cut=outdated_cut(self.event),
            outdated_draws=list_outdated_draws(self.event),
            **(self._build_draw_button(stage_view.stage) if stage_view else {}),
            drafted=stage_view and stage_view.stage.rounds.filter(state=Round.State.DRAFT).exists(),
            **kwargs,
        )

    def _list_brackets(self) -> list[int]:
        """Return the numbers of the event's bracket stages."""
        stages = self.event.stages.filter(format=Stage.Format.BRACKET)
        return list(stages.values_list("number", flat=True))

    def _build_draw_button(self, stage: Stage) -> dict[str, object]:
        """Return the context of the button that draws the next round.

        Returns {} if there is no next round, or if the user may not draw it.
        """
        round_ = next_round(stage) if self.granted["seats"] else None
        if round_ is None:
            return {}
        return {"draws": draw_text(round_), "seen": compute_version(stage, round_.number)}

    def _describe_path(self, stage: Stage) -> tuple[list[str], str]:
        """Return a sentence for each round up to the final, and the problem if there is one."""
        if last_player := find_sole_player(self.event):
            text = _("Only {name} is left. Announce the winner from the desk.")
            return [], text.format(name=last_player.name)
        try:
            return describe_path_to_final(stage), ""
        except RefusedError as refused:
            return [], refused.sentence

    def _plan_next_round(self, stage: Stage) -> brackets.NextRound | None:
        last = self._find_last_closed_round(stage)
        if last is None or last.is_final:
            return None
        try:
            following, _drawn = decide_next_round(last)
        except RefusedError:
            return None
        return following

    def _find_last_closed_round(self, stage: Stage) -> Round | None:
        """Return the last published round if it is closed, or None."""
        last = stage.rounds.exclude(state=Round.State.DRAFT).order_by("-number").first()
        return last if last and last.state == Round.State.CLOSED else None

    def actions(self) -> dict[str, Action]:
        return {
            "withdraw": self.withdraw,
            "playoff": self.enter_playoff_order,
            "take-back": self.undo_playoff_order,
        }

    def withdraw(self) -> str:
        registration: Registration = self.find(self.event.registrations, self.text("registration"))
        withdrawn = withdraw(registration, self.user, self.text("reason"))
        if withdrawn.state != Registration.State.WITHDRAWN:
            return str(WAITS)
        return _("{name} has withdrawn. See below for who steps in.").format(name=registration.name)

    def _find_deciding_round(self) -> Round:
        stage_view = bracket(self.event)
        last = self._find_last_closed_round(stage_view.stage) if stage_view else None
        if last is None:
            raise RefusedError(Code.ORDER, _("There is no tie-break hand to play now."))
        return last

    def enter_playoff_order(self) -> str:
        is_pending = enter_playoff_order(
            self._find_deciding_round(), self.user, _read_finishing_order(self.request)
        )
        return str(WAITS if is_pending else ENTERED)

    def undo_playoff_order(self) -> str:
        is_pending = undo_playoff_order(
            self._find_deciding_round(), self.user, _read_players(self.request)
        )
        return str(WAITS if is_pending else TAKEN_BACK)
