"""What a correction would change, before it is made."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from tournament.models import Qualifier, Stage, Table
from tournament.queries import results as read
from tournament.queries.cut import cut_of, rule_of
from tournament.queries.standings import rank


@dataclass(frozen=True)
class Effect:
    """Sentences about ranks, the cut and the bracket; `ranks` are (name, before, after)."""

    ranks: list[tuple[str, int, int]]
    sentences: list[str]


def effect(table: Table, points: Sequence[int]) -> Effect:
    """Compare the stage's standings with those that these points would make."""
    stage = table.round.stage
    before = read.outcomes(stage)
    after = [_changed(o, points) if o.table.pk == table.pk else o for o in before]
    old, _people = rank(stage.event, before)
    new, _people = rank(stage.event, after)
    ranks = {row.player: row.rank for row in old}
    moved = [
        (row.name, ranks[row.player], row.rank) for row in new if ranks[row.player] != row.rank
    ]
    return Effect(moved, _cut_sentences(stage, after))


def _changed(found: read.Outcome, points: Sequence[int]) -> read.Outcome:
    best = (min if found.low_wins else max)(points)
    winners = [n for n, value in enumerate(points) if value == best]
    return replace(found, points=list(points), winners=winners, left=[], final=True, places=[])


def _cut_sentences(stage: Stage, after: list[read.Outcome]) -> list[str]:
    """Who is in the next stage and would not be, or the other way round. The stage itself stays."""
    following = Qualifier.objects.filter(
        stage__event=stage.event, stage__number=stage.number + 1, active=True
    )
    names = dict(following.values_list("registration_id", "registration__name"))
    if not names:
        return []
    outcome = cut_of(stage, rule_of(stage), after)
    would = set(outcome.through)
    lost = [name for pk, name in names.items() if pk not in would]
    won = [d.name for d in outcome.decisions if d.through and d.player not in names]
    sentences = [f"{name} would not have gone through." for name in lost]
    sentences += [f"{name} would have gone through." for name in won]
    if sentences:
        sentences.append("The next stage stays as it is: open the first round again to redraw it.")
    return sentences
