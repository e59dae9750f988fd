"""Standings, advancing players and the bracket."""

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
from tournament.advancing.playoffs import set_playoff, take_back_playoff
from tournament.advancing.services import (
    decide_next_round,
    preview_cut,
    qualify,
    reopen_event,
    undo_qualify,
)
from tournament.common.refusals import RefusedError
from tournament.common.round_names import draw_text
from tournament.corrections.cuts import leave_cut
from tournament.hall.queries import bracket
from tournament.models import Registration, Round, Stage
from tournament.planning.qualification_odds import (
    add_chances,
    bracket_with_chances,
    chance,
    even_out,
    group_by_play,
    outlook,
)
from tournament.pure import brackets, qualifying
from tournament.pure.codes import Code
from tournament.pure.ranking import StandingsRow
from tournament.pure.texts import whole
from tournament.registration.services import withdraw
from tournament.results.stages import StageResults, stage_results
from tournament.rounds.services import stage_is_played
from tournament.seating.bracket_rounds import path_to_final
from tournament.seating.queries import version
from tournament.stages.cut import (
    CutRule,
    cutting_stage,
    cutting_stages,
    list_cut_warnings,
    proposed_rule,
    rule_of,
    rule_text,
)
from tournament.stages.line import count_above, line_of
from tournament.stages.margins import headline, margins
from tournament.stages.outdated_cuts import OutdatedCut, outdated_cut
from tournament.stages.outdated_draws import list_outdated_draws
from tournament.stages.walkover import find_sole_player
from tournament.standings.queries import leaderboard
from tournament.web.admin.base.generic import AnyForm
from tournament.web.admin.base.pages import Do, EventPage, link
from tournament.web.admin.people.staff import WAITS
from tournament.web.admin.rounds.rounds import DRAWN, draw_after


class StandingsPage(EventPage):
    """Page with the leaderboard and every metric, of the event or of one stage."""

    title = gettext_lazy("Standings")
    tab = "standings"
    template_name = "admin/advancing/standings.html"
    sees = "see"

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        stages = list(self.event.stages.order_by("number"))
        asked = self.request.GET.get("stage", "")
        stage = next((s for s in stages if str(s.number) == asked), None)
        board = leaderboard(self.event, stage, behind=True, figures=True)
        return super().get_context_data(
            board=add_chances(board, public=False),
            stages=stages,
            stage=stage,
            **kwargs,
        )

    def actions(self) -> dict[str, Do]:
        return {"reopen": self.reopen}

    def reopen(self) -> str:
        reopen_event(self.event, self.user, self.text("reason"))
        return _("The announcement has been undone.")


# The meaning of the number by rule; none where the rule does without one.
NUMBER_OF = {
    Stage.Rule.NUMBER: gettext_lazy("Players who advance"),
    Stage.Rule.SHARE: gettext_lazy("Percentage of the players who took part"),
    Stage.Rule.TOP_K: gettext_lazy("Players per table"),
}


class CutForm(AnyForm):
    """Form for the stage's rule for advancing."""

    class Meta:
        model = Stage
        fields = ["qualify_rule", "qualify_value", "cut_ties", "min_matches"]

    def number_of(self) -> str:
        """Return a description of the rule's number for each rule, as JSON.

        The page's script shows it next to the field.
        """
        return json.dumps({rule: str(title) for rule, title in NUMBER_OF.items()})

    def rule(self) -> CutRule:
        data = self.cleaned_data
        return CutRule(
            data["qualify_rule"], data["qualify_value"], data["cut_ties"], data["min_matches"]
        )


class QualifyPage(EventPage):
    """Page to try rules (GET), see which players each would let advance, and confirm one (POST)."""

    title = gettext_lazy("Who advances")
    tab = "qualify"
    template_name = "admin/advancing/qualify.html"
    sees = "see"
    stage: Stage

    def load(self) -> None:
        asked = self.request.GET.get("stage", "")
        stage = cutting_stage(self.event, whole(asked))
        if stage is None:
            raise Http404("Nobody goes through from there.")
        self.stage = stage

    @cached_property
    def results(self) -> StageResults:
        """Results of the stage, to which every tried rule is applied."""
        return stage_results(self.stage)

    def _read_tried_rule(self) -> tuple[CutForm, CutRule, str]:
        """Return the form, the rule to try and a sentence about a proposed rule.

        The rule is the one in the form, or the proposed one if there is none. The sentence is ""
        if
        the form asks for a rule, or if the proposal equals the stored rule.
        """
        asked = self.request.GET if "qualify_rule" in self.request.GET else None
        stored, proposed = rule_of(self.stage), proposed_rule(self.results)
        initial = {"qualify_rule": proposed.kind, "qualify_value": proposed.value}
        form = CutForm(asked, instance=self.stage, initial=initial)
        rule = form.rule() if asked and form.is_valid() else proposed
        return form, rule, "" if asked or proposed == stored else rule_text(proposed)

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        form, rule, proposed = self._read_tried_rule()
        try:
            outcome, problem = preview_cut(self.results, rule), ""
        except RefusedError as refused:
            outcome, problem = None, refused.sentence
        hands = outcome if self.stage.state != Stage.State.CLOSED else None
        told = line_of(self.results)
        return super().get_context_data(
            stage=self.stage,
            line=told.sentence if told else "",
            headline=headline(self.standing),
            cuts=cutting_stages(self.event),
            form=form,
            rule=rule,
            proposed=proposed,
            outcome=outcome,
            problem=problem,
            ready=stage_is_played(self.stage),
            doubts=list_cut_warnings(self.results, outcome) if outcome else [],
            rows=fold_rows(self._list_rows(rule, outcome)) if outcome else {},
            playoffs=_list_playoffs(hands.playoffs, self.results.registrations) if hands else [],
            entered=_list_playoffs(hands.played, self.results.registrations) if hands else [],
            outdated_cut=self.outdated_cut,
            **kwargs,
        )

    @cached_property
    def standing(self) -> list[StandingsRow]:
        """Standings without lots, as the rules under trial use them."""
        return self.results.rows(lots=False)

    def _list_rows(self, rule: CutRule, outcome: qualifying.Cut) -> list[CutRow]:
        players = [row.player for row in self.standing]
        beside = margins(self.standing, count_above(rule, outcome, players))
        missed = outcome.just_missed if outcome.through else ()
        badges = self._list_marks(outcome)
        found = outlook(self.event, public=False)
        told = found.shares if found and found.stage == self.stage.number else {}
        shares = even_out(told, group_by_play(self.results, self.standing))
        return [
            CutRow(
                d,
                beside[d.player],
                d.player in missed,
                badges.get(d.player, ""),
                chance(shares.get(d.player)),
            )
            for d in outcome.decisions
        ]

    def _list_marks(self, outcome: qualifying.Cut) -> dict[int, str]:
        """Return each player's mark, by the completed cut or, before that, the rule under trial."""
        if self.stage.state != Stage.State.CLOSED:
            return dict.fromkeys(outcome.through, "through")
        following = self.event.stages.filter(number=self.stage.number + 1, qualifiers__active=True)
        sent = set(following.values_list("qualifiers__registration_id", flat=True))
        return _list_badges(sent, self.outdated_cut)

    @cached_property
    def outdated_cut(self) -> OutdatedCut | None:
        return outdated_cut(self.event)

    def actions(self) -> dict[str, Do]:
        return {
            "confirm": self.confirm,
            "confirm-draw": self.confirm_and_draw,
            "undo": self.undo,
            "leave": self.leave,
            "playoff": self.playoff,
            "take-back": self.take_back,
        }

    def leave(self) -> str:
        shown = {key: _parse_numbers(self.text(key)) for key in ("in", "out")}
        leave_cut(self.event, self.user, shown, self.text("reason"))
        return _("The players confirmed earlier still advance.")

    def confirm(self) -> str:
        form = CutForm(self.request.POST, instance=self.stage)
        if not form.is_valid():
            raise RefusedError(Code.RULE, _("Choose a rule first."))
        expected = _parse_numbers(self.text("through"))
        sure = self.text("sure") == "yes"
        made = qualify(self.stage, self.user, form.rule(), expected, sure=sure)
        self.through = bool(made)
        if not made:
            return _("{stage} is closed.").format(stage=self.stage)
        return ngettext("{count} player advances.", "{count} players advance.", len(made)).format(
            count=len(made)
        )

    def confirm_and_draw(self) -> str:
        told = self.confirm()
        following = self.event.stages.get(number=self.stage.number + 1)
        self.drawn = draw_after(self, following) if self.through else None
        return f"{told} {DRAWN.format(drawn=self.drawn)}" if self.drawn else told

    def undo(self) -> str:
        undo_qualify(self.stage, self.user, self.text("reason"))
        return _("{stage} has been reopened.").format(stage=self.stage)

    def playoff(self) -> str:
        _form, rule, _proposed = self._read_tried_rule()
        waits = set_playoff(self.stage, self.user, _order(self.request), rule)
        return str(WAITS if waits else ENTERED)

    def take_back(self) -> str:
        waits = take_back_playoff(self.stage, self.user, _read_players(self.request))
        return str(WAITS if waits else TAKEN_BACK)

    def redirect_when_done(self) -> HttpResponse:
        if drawn := getattr(self, "drawn", None):
            return redirect(link("round", self.event, drawn.pk))
        if getattr(self, "through", False):
            following = self.event.stages.get(number=self.stage.number + 1)
            bracket = following.format == Stage.Format.BRACKET
            return redirect(link("bracket" if bracket else "rounds", self.event))
        return redirect(self.request.get_full_path())


def _parse_numbers(text: str) -> list[int]:
    return _select_valid_keys(text.split(","))


def _select_valid_keys(keys: Iterable[str]) -> list[int]:
    """Return the valid keys among these texts."""
    return [pk for pk in map(whole, keys) if pk is not None]


def _list_badges(advanced: set[int], outdated: OutdatedCut | None) -> dict[int, str]:
    """Return the badge of each marked player on the page of a completed cut."""
    badges = dict.fromkeys(advanced, "through")
    if outdated:
        badges |= {person.pk: "surplus" for person in outdated.surplus}
        badges |= {person.pk: "missing" for person in outdated.missing}
    return badges


def _list_playoffs(
    playoffs: tuple[qualifying.Playoff, ...], people: Mapping[int, Registration]
) -> list[dict[str, object]]:
    return [{"playoff": p, "players": [people[pk] for pk in p.players]} for p in playoffs]


ENTERED = gettext_lazy("The finishing order of the tie-break hand has been saved.")
TAKEN_BACK = gettext_lazy("The finishing order of the tie-break hand has been removed.")


def _read_players(request: HttpRequest) -> list[int]:
    """Return the players of the tie-break hand from the submitted form."""
    return _select_valid_keys(request.POST.getlist("player"))


def _order(request: HttpRequest) -> list[int]:
    """Return the players of the tie-break hand, sorted by the places entered for them."""
    places = request.POST.getlist("place")
    try:
        pairs = sorted(zip(map(int, places), _read_players(request), strict=True))
    except ValueError:
        raise RefusedError(Code.ORDER, _("Enter a place for every player in the hand.")) from None
    if len({place for place, _player in pairs}) < len(pairs):
        raise RefusedError(Code.ORDER, _("Give each player in the hand a different place."))
    return [player for _place, player in pairs]


class BracketPage(EventPage):
    """The second stage: qualifiers, rounds to come, hands for a tied place, replacements."""

    title = gettext_lazy("Bracket")
    tab = "bracket"
    template_name = "admin/advancing/bracket.html"
    sees = "see"

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        shown = bracket_with_chances(self.event, public=False)
        plans, problem = self._describe_plans(shown.stage) if shown else ([], "")
        hands = self._find_deciding_hands(shown.stage) if shown else None
        people = self.event.registrations.in_bulk() if hands else {}
        return super().get_context_data(
            bracket=shown,
            brackets=[] if shown else self._list_brackets(),
            plans=plans,
            problem=problem,
            playoffs=_list_playoffs(hands.playoffs, people) if hands else [],
            entered=_list_playoffs(hands.played, people) if hands else [],
            outdated_cut=outdated_cut(self.event),
            outdated_draws=list_outdated_draws(self.event),
            **(self._build_draw_button(shown.stage) if shown else {}),
            drafted=shown and shown.stage.rounds.filter(state=Round.State.DRAFT).exists(),
            **kwargs,
        )

    def _list_brackets(self) -> list[int]:
        """Return the numbers of the event's bracket stages."""
        stages = self.event.stages.filter(format=Stage.Format.BRACKET)
        return list(stages.values_list("number", flat=True))

    def _build_draw_button(self, stage: Stage) -> dict[str, object]:
        """Build the button that draws the next round, or {} if this organizer may not draw it."""
        coming = next_round(stage) if self.granted["seats"] else None
        if coming is None:
            return {}
        return {"draws": draw_text(coming), "seen": version(stage, coming.number)}

    def _describe_plans(self, stage: Stage) -> tuple[list[str], str]:
        if left := find_sole_player(self.event):
            return [], _("Only {name} is left. Announce the winner from the desk.").format(
                name=left.name
            )
        try:
            return path_to_final(stage), ""
        except RefusedError as refused:
            return [], refused.sentence

    def _find_deciding_hands(self, stage: Stage) -> brackets.NextRound | None:
        last = self._find_last_closed_round(stage)
        if last is None or last.is_final:
            return None
        try:
            following, _drawn = decide_next_round(last)
        except RefusedError:
            return None
        return following

    def _find_last_closed_round(self, stage: Stage) -> Round | None:
        """Return the last round that is not a draft if that round is closed, else None."""
        last = stage.rounds.exclude(state=Round.State.DRAFT).order_by("-number").first()
        return last if last and last.state == Round.State.CLOSED else None

    def actions(self) -> dict[str, Do]:
        return {
            "withdraw": self.withdraw,
            "playoff": self.playoff,
            "take-back": self.take_back,
        }

    def withdraw(self) -> str:
        registration: Registration = self.find(self.event.registrations, self.text("registration"))
        left = withdraw(registration, self.user, self.text("reason"))
        if left.state != Registration.State.WITHDRAWN:
            return str(WAITS)
        return _("{name} has withdrawn. See below for who steps in.").format(name=registration.name)

    def _find_deciding_round(self) -> Round:
        shown = bracket(self.event)
        last = self._find_last_closed_round(shown.stage) if shown else None
        if last is None:
            raise RefusedError(Code.ORDER, _("There is no tie-break hand to play now."))
        return last

    def playoff(self) -> str:
        waits = set_playoff(self._find_deciding_round(), self.user, _order(self.request))
        return str(WAITS if waits else ENTERED)

    def take_back(self) -> str:
        waits = take_back_playoff(
            self._find_deciding_round(), self.user, _read_players(self.request)
        )
        return str(WAITS if waits else TAKEN_BACK)
