"""Draws that no longer match the results they were drawn from, because those were corrected."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.common.refusals import RefusedError
from tournament.models import Event, LogAction, Registration, Round, Stage
from tournament.oversight.audit import where
from tournament.pure.codes import Code
from tournament.pure.words import join_words
from tournament.results.queries import table_results
from tournament.results.stages import stage_results
from tournament.stages.outdated_cuts import outdated_cut
from tournament.stages.progression import ChangedDraw, compare_draw

NAMED = 6
# Until play begins, the seats can be drawn again.
REDRAWN = (Round.State.DRAFT, Round.State.PUBLISHED)


@dataclass(frozen=True)
class OutdatedDraw:
    """A round whose draw no longer matches the results that it was drawn from.

    `missing` are the players who would now be in the round but are not; `surplus` are those who
    are in it but now would not be. For the `undecided`, a tie-break hand would now decide. If only
    the seeds or points behind the seats differ, `moved` are the players whose seeds or points have
    changed, and `basis` is a digest of the current ones. `problem`: why the results no longer
    decide anything.
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
        """Keys and codes of the mismatch, as the history stores them if the draw is kept."""
        return {
            "in": _list_keys(self.missing),
            "out": _list_keys(self.surplus),
            "open": _list_keys(self.undecided),
            "basis": self.basis,
            "unclear": bool(self.problem),
        }

    @property
    def version(self) -> str:
        """Short fingerprint of the mismatch."""
        return _make_digest(self.facts)

    @property
    def sentence(self) -> str:
        """Sentence about what has changed, and for which players."""
        text = _("{round}: results changed after the draw, so the seats no longer match them.")
        told = [text.format(round=self.played.title), self.problem]
        for people, line in (
            (self.missing, _("Players who would now advance: {names}.")),
            (self.surplus, _("Players who would now be eliminated: {names}.")),
            (self.undecided, _("A tie-break hand would now decide about: {names}.")),
            (self.moved, self._describe_moves()),
        ):
            if people:
                told.append(line.format(names=_join_names(people)))
        return " ".join(filter(None, told))

    @property
    def advice(self) -> str:
        """Sentence about what the organizers can do."""
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
    names = [person.name for person in people[:NAMED]]
    if (count := len(people) - len(names)) > 0:
        names.append(ngettext("{count} more", "{count} more", count).format(count=count))
    return join_words(names)


def _make_digest(data: object) -> str:
    return hashlib.sha256(json.dumps(data).encode()).hexdigest()[:16]


def list_outdated_draws(event: Event) -> list[OutdatedDraw]:
    """Return the outdated draws in order, except those that the organizers decided to keep."""
    rounds = Round.objects.filter(stage__event=event, number__gt=1).select_related("stage__event")
    found = map(_find_mismatch, rounds.order_by("stage__number", "number"))
    return [each for each in found if each and not _is_left(each)]


def find_outdated_draw(round_: Round) -> OutdatedDraw | None:
    """Return the mismatch of the round, unless the organizers have decided to keep it."""
    found = _find_mismatch(round_) if round_.number > 1 else None
    return found if found and not _is_left(found) else None


def _find_mismatch(round_: Round) -> OutdatedDraw | None:
    if round_.stage.format == Stage.Format.BRACKET:
        return _compare_seeds(round_)
    by_points = round_.stage.by_points and round_.seating.key
    return _compare_points(round_) if by_points and round_.state in REDRAWN else None


def _compare_seeds(round_: Round) -> OutdatedDraw | None:
    seating = round_.seating
    if not seating.seeds:
        return None
    before = round_.stage.rounds.select_related("stage__event").get(number=round_.number - 1)
    here = {*_find_seated(round_), *seating.byes}
    changed = compare_draw(before, table_results(before, play=False), round_, here)
    return _name_players(round_, changed) if changed else None


def _find_seated(round_: Round) -> set[int]:
    keys = round_.tables.exclude(seats__registration=None)
    return set(keys.values_list("seats__registration", flat=True))


def _name_players(round_: Round, changed: ChangedDraw) -> OutdatedDraw | None:
    seeds = changed.seeds if round_.state in REDRAWN else ()
    people = round_.stage.event.registrations.in_bulk()
    differ = bool(changed.missing or changed.surplus or changed.undecided)
    if not (differ or seeds or changed.problem):
        return None
    drawn = [pk for pk in round_.seating.seeds if pk in seeds]
    moved = [now for now, then in zip(seeds, drawn, strict=False) if now != then]
    return OutdatedDraw(
        round_,
        [people[pk] for pk in changed.missing],
        [people[pk] for pk in changed.surplus],
        [people[pk] for pk in changed.undecided],
        [] if differ else [people[pk] for pk in moved],
        "" if differ or not seeds else _make_digest(seeds),
        changed.problem,
    )


def _compare_points(round_: Round) -> OutdatedDraw | None:
    """Compare the points by which a round was seated with the current points.

    Players who have left, or who were absent from the draw, are ignored.
    """
    then = _read_drawn_points(round_)
    if not then:
        return None
    results = stage_results(round_.stage.event)
    now = {row.player: row.points for row in results.rows() if not row.out}
    moved = [pk for pk, points in then.items() if now.get(pk, points) != points]
    if not moved:
        return None
    points = [[pk, now[pk]] for pk in sorted(moved)]
    return OutdatedDraw(
        round_, moved=[results.registrations[pk] for pk in moved], basis=_make_digest(points)
    )


def _read_drawn_points(round_: Round) -> Mapping[int, int]:
    """Return the points that the round's last draw was made with, by registration.

    Empty if the round was not seated by points.
    """
    draws = round_.stage.draws.filter(round_number=round_.number)
    draw = draws.order_by("number").last()
    if draw is None or not draw.input:
        return {}
    people, _history, _sizes, (by_points, *_more), *_rest = json.loads(draw.input)
    return {pk: points for pk, points, _group in people} if by_points else {}


def _is_left(outdated: OutdatedDraw) -> bool:
    """Return whether the organizers have decided to keep this draw despite these changes."""
    mine = where(outdated.played)
    entries = outdated.played.stage.event.history.filter(
        action__in=(LogAction.SEAT, LogAction.DRAW_LEFT)
    )
    last = [e for e in entries.order_by("number") if _is_about(e.facts, mine)][-1:]
    return any(
        entry.action == LogAction.DRAW_LEFT
        and {key: entry.facts.get(key) for key in outdated.facts} == outdated.facts
        for entry in last
    )


def _is_about(facts: Mapping[str, object], place: Mapping[str, object]) -> bool:
    return all(facts.get(key) == place[key] for key in ("stage", "round"))


def check_nothing_outdated(event: Event) -> None:
    """Refuse to continue from a cut or a draw that no longer matches the results.

    Organizers redo it, or keep it as it is with a reason. Refused with: outdated.
    """
    found = outdated_cut(event) or next(iter(list_outdated_draws(event)), None)
    if found is None:
        return
    advice = _("Decide about that first: put it right, or leave it as it is and say why.")
    raise RefusedError(Code.OUTDATED, f"{found.sentence} {advice}")
