"""Draws that no longer match the results on which they were based."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.common.refusals import RefusedError
from tournament.models import Event, LogAction, Registration, Round, Stage
from tournament.oversight.audit import identify_place
from tournament.pure.codes import Code
from tournament.pure.words import join_words
from tournament.results.queries import table_results
from tournament.results.stages import stage_results
from tournament.stages.outdated_cuts import outdated_cut
from tournament.stages.progression import ChangedDraw, compare_draw

MAX_NAMED_PLAYERS = 6
# In these states, seats can be drawn again.
REDRAWABLE = (Round.State.DRAFT, Round.State.PUBLISHED)


@dataclass(frozen=True)
class OutdatedDraw:
    """A round whose draw no longer matches the results on which it was based.

    * `missing`: players who are not in the round, but now would be.
    * `surplus`: players who are in the round, but now would not be.
    * `undecided`: players who would now have to play a tie-break hand.
    * `moved`: players whose seed or points have changed, if nothing else has.
    * `basis`: a digest of the current seeds or points.
    * `problem`: a sentence that explains why the results no longer decide who advances, or "".
    """

    played: Round
    missing: Sequence[Registration] = ()
    surplus: Sequence[Registration] = ()
    undecided: Sequence[Registration] = ()
    moved: Sequence[Registration] = ()
    basis: str = ""
    problem: str = ""

    @property
    def facts(self) -> dict[str, object]:
        """The mismatch as keys and codes. The history stores them if the draw is kept."""
        return {
            "in": _list_keys(self.missing),
            "out": _list_keys(self.surplus),
            "open": _list_keys(self.undecided),
            "basis": self.basis,
            "unclear": bool(self.problem),
        }

    @property
    def version(self) -> str:
        """A digest that changes whenever the mismatch changes."""
        return _make_digest(self.facts)

    @property
    def sentence(self) -> str:
        """Sentences that describe the mismatch and name the affected players."""
        text = _("{round}: results changed after the draw, so the seats no longer match them.")
        sentences = [text.format(round=self.played.title), self.problem]
        for people, text_with_names in (
            (self.missing, _("Players who would now advance: {names}.")),
            (self.surplus, _("Players who would now be eliminated: {names}.")),
            (self.undecided, _("A tie-break hand would now decide about: {names}.")),
            (self.moved, self._describe_moves()),
        ):
            if people:
                sentences.append(text_with_names.format(names=_join_names(people)))
        return " ".join(filter(None, sentences))

    @property
    def advice(self) -> str:
        """A sentence about what the organizers can do."""
        if self.played.state == Round.State.DRAFT:
            return _("Draw the seats again, change them by hand, or leave them as they are.")
        if self.played.state == Round.State.PUBLISHED:
            return _(
                "Withdraw the seats and draw again, change them by hand, or leave them as they are."
            )
        return _("The round has started, so its seats stay the same. Say why that is right.")

    def _describe_moves(self) -> str:
        if self.played.stage.format == Stage.Format.BRACKET:
            return _("The same players advance, but with other seeds: {names}.")
        return _("Players whose points have changed: {names}.")


def _list_keys(people: Iterable[Registration]) -> list[int]:
    return sorted(person.pk for person in people)


def _join_names(people: Sequence[Registration]) -> str:
    names = [person.name for person in people[:MAX_NAMED_PLAYERS]]
    if (count := len(people) - len(names)) > 0:
        names.append(ngettext("{count} more", "{count} more", count).format(count=count))
    return join_words(names)


def _make_digest(data: object) -> str:
    return hashlib.sha256(json.dumps(data).encode()).hexdigest()[:16]


def list_outdated_draws(event: Event) -> list[OutdatedDraw]:
    """Return the event's outdated draws, except those that the organizers have decided to keep."""
    rounds = Round.objects.filter(stage__event=event, number__gt=1).select_related("stage__event")
    mismatches = map(_find_mismatch, rounds.order_by("stage__number", "number"))
    return [each for each in mismatches if each and not _was_draw_kept(each)]


def find_outdated_draw(round_: Round) -> OutdatedDraw | None:
    """Return the mismatch of a round's draw, or None.

    A draw that the organizers have decided to keep has no mismatch.
    """
    mismatch = _find_mismatch(round_) if round_.number > 1 else None
    return mismatch if mismatch and not _was_draw_kept(mismatch) else None


def _find_mismatch(round_: Round) -> OutdatedDraw | None:
    if round_.stage.format == Stage.Format.BRACKET:
        return _compare_seeds(round_)
    by_points = round_.stage.by_points and round_.seating.key
    return _compare_points(round_) if by_points and round_.state in REDRAWABLE else None


def _compare_seeds(round_: Round) -> OutdatedDraw | None:
    seating = round_.seating
    if not seating.seeds:
        return None
    previous = round_.stage.rounds.select_related("stage__event").get(number=round_.number - 1)
    in_round = {*_find_seated_players(round_), *seating.byes}
    change = compare_draw(previous, table_results(previous, play=False), round_, in_round)
    return _make_outdated_draw(round_, change) if change else None


def _find_seated_players(round_: Round) -> set[int]:
    keys = round_.tables.exclude(seats__registration=None)
    return set(keys.values_list("seats__registration", flat=True))


def _make_outdated_draw(round_: Round, change: ChangedDraw) -> OutdatedDraw | None:
    seeds = change.seeds if round_.state in REDRAWABLE else ()
    people = round_.stage.event.registrations.in_bulk()
    players_differ = bool(change.missing or change.surplus or change.undecided)
    if not (players_differ or seeds or change.problem):
        return None
    drawn = [pk for pk in round_.seating.seeds if pk in seeds]
    moved = [
        current_seed
        for current_seed, drawn_seed in zip(seeds, drawn, strict=False)
        if current_seed != drawn_seed
    ]
    return OutdatedDraw(
        round_,
        [people[pk] for pk in change.missing],
        [people[pk] for pk in change.surplus],
        [people[pk] for pk in change.undecided],
        [] if players_differ else [people[pk] for pk in moved],
        "" if players_differ or not seeds else _make_digest(seeds),
        change.problem,
    )


def _compare_points(round_: Round) -> OutdatedDraw | None:
    """Compare the points by which a round was seated with the current points.

    Players who have left, or who were not in the draw, are ignored.
    """
    drawn_points = _load_points_at_draw(round_)
    if not drawn_points:
        return None
    results = stage_results(round_.stage.event)
    current_points = {row.player: row.points for row in results.rows() if not row.out}
    moved = [pk for pk, points in drawn_points.items() if current_points.get(pk, points) != points]
    if not moved:
        return None
    points = [[pk, current_points[pk]] for pk in sorted(moved)]
    return OutdatedDraw(
        round_, moved=[results.registrations[pk] for pk in moved], basis=_make_digest(points)
    )


def _load_points_at_draw(round_: Round) -> Mapping[int, int]:
    """Return the points that the round's last draw used, by registration.

    Returns an empty mapping if the round was not seated by points.
    """
    draws = round_.stage.draws.filter(round_number=round_.number)
    draw = draws.order_by("number").last()
    if draw is None or not draw.input:
        return {}
    people, _history, _sizes, (by_points, *_more), *_rest = json.loads(draw.input)
    return {pk: points for pk, points, _group in people} if by_points else {}


def _was_draw_kept(outdated: OutdatedDraw) -> bool:
    """Return whether the organizers have decided to keep this draw despite this mismatch."""
    round_facts = identify_place(outdated.played)
    entries = outdated.played.stage.event.history.filter(
        action__in=(LogAction.SEAT, LogAction.DRAW_LEFT)
    )
    about_round = [
        entry
        for entry in entries.order_by("number")
        if all(entry.facts.get(key) == round_facts[key] for key in ("stage", "round"))
    ]
    return any(
        entry.action == LogAction.DRAW_LEFT
        and {key: entry.facts.get(key) for key in outdated.facts} == outdated.facts
        for entry in about_round[-1:]
    )


def check_nothing_outdated(event: Event) -> None:
    """Check that no cut or draw of the event is outdated.

    Otherwise, organizers must redo the cut or draw, or keep it with a reason, before they continue.
    Raises RefusedError with the code `outdated`.
    """
    outdated = outdated_cut(event) or next(iter(list_outdated_draws(event)), None)
    if outdated is None:
        return
    advice = _("Decide about that first: put it right, or leave it as it is and say why.")
    raise RefusedError(Code.OUTDATED, f"{outdated.sentence} {advice}")
