"""What will be played, in one sentence: each part a clause, as the format and its rules have it."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from games.rules.text import _, gettext_noop, ngettext
from tournament.events.formats.counts import rounds_for
from tournament.events.formats.shapes import MatchPlan, StageShape

EXAMPLES = (8, 16)


def match_clauses(play: MatchPlan) -> Iterator[str]:
    """The rules and the size of the tables; partners; who wins a match and who is out."""
    text = _("{rules} at tables of {size}")
    yield text.format(rules=play.rules, size=play.table_size)
    if play.partners:
        yield _("partners across from each other have their points together")
    yield _won_by(play)


def _won_by(play: MatchPlan) -> str:
    """Who wins a match, by its scoring, its target and its limits."""
    ends = ends_text(play)
    texts = _WITH_TARGET if play.target else _WITHOUT
    won = _(texts[play.scoring]).format(target=play.target, ends=ends)
    if not (play.target and ends):
        return won
    early = _("it is over {ends} in any case, and most points win it")
    if play.scoring != "winner-takes":
        early = _("it is over {ends} in any case, and the lowest total wins it")
    return _("{won}; {early}").format(won=won, early=early.format(ends=ends))


_WITH_TARGET = {
    "winner-takes": gettext_noop("who first has {target} points wins a match"),
    "lowest": gettext_noop("when somebody has {target} points, the lowest total wins the match"),
    "elimination": gettext_noop(
        "who has {target} points is out of the match, and the last one left wins it: few points "
        "are good"
    ),
}
_WITHOUT = {
    "winner-takes": gettext_noop("most points {ends} win a match, without a target"),
    "lowest": gettext_noop("the lowest total {ends} wins a match, without a target"),
}


def ends_text(play: MatchPlan) -> str:
    """When a match ends whatever its points, as "after 4 hands"; "" where nothing limits it."""
    told = []
    if play.hands:
        told.append(ngettext("after {n} hand", "after {n} hands", play.hands).format(n=play.hands))
    if play.minutes:
        text = ngettext("after {n} minute", "after {n} minutes", play.minutes)
        told.append(text.format(n=play.minutes))
    return _(" or ").join(told)


def summary(stages: Sequence[StageShape], play: MatchPlan | None = None, players: int = 0) -> str:
    """Such as "3 rounds that everybody plays, then a bracket of tables down to the final".

    With `play` it says how many rounds follow from the number of `players`, 0 where nobody knows
    it yet, and what decides.
    """
    told = [_part(stages[0], first=True), *(_later(*pair) for pair in pairwise(stages))]
    text = _(", then ").join(told)
    if play is None:
        return text
    return "; ".join(
        filter(None, [text, _following(stages[0], play, players), decides(stages, play.scoring)])
    )


def _later(before: StageShape, stage: StageShape) -> str:
    """Who goes through to a stage, and how it is played."""
    who = _(_THROUGH[before.qualify_rule]).format(n=before.qualify_value)
    return _("{who}: {stage}").format(who=who, stage=_part(stage, first=False))


_THROUGH = {
    "number": gettext_noop("the best {n}"),
    # xgettext:no-python-format
    "share": gettext_noop("the best {n} %"),
    "top_k": gettext_noop("the best {n} of each table"),
    "thresholds": gettext_noop("as many of the best as follows from the number of players"),
}


def _part(stage: StageShape, *, first: bool) -> str:
    if stage.format == "bracket":
        return _bracket(stage.advance, first=first)
    if stage.rotation:
        return _("rounds in which everybody has everybody else as partner once")
    count = stage.rounds_planned
    if first:
        text = ngettext("{n} round that everybody plays", "{n} rounds that everybody plays", count)
    else:
        text = ngettext("{n} more round", "{n} more rounds", count)
    return text.format(n=count)


def _bracket(advance: int, *, first: bool) -> str:
    if first:
        text = ngettext(
            "tables of which only the best one goes on, down to the final: all others are out",
            "tables of which the best {n} go on, down to the final: all others are out",
            advance,
        )
    else:
        text = ngettext(
            "a bracket of tables of which only the best one goes on, down to the final",
            "a bracket of tables of which the best {n} go on, down to the final",
            advance,
        )
    return text.format(n=advance)


def _following(stage: StageShape, play: MatchPlan, players: int) -> str:
    """How many rounds the first stage has where that follows from the number of players."""
    if stage.format != "bracket" and not stage.rotation:
        return ""
    told = [
        _count(count, rounds)
        for count in ([players] if players else EXAMPLES)
        if (rounds := rounds_for(stage, count, play))
    ]
    return ", ".join(told)


def _count(players: int, rounds: int) -> str:
    text = ngettext(
        "{rounds} round with {players} players", "{rounds} rounds with {players} players", rounds
    )
    return text.format(rounds=rounds, players=players)


def decides(stages: Sequence[StageShape], scoring: str) -> str:
    """What makes the winner of an event of these stages, as a clause."""
    if stages and stages[-1].format == "bracket":
        return _("who wins the final wins the event")
    high = scoring == "winner-takes"
    if len(stages) > 1:
        if high:
            return _("only the rounds of the last stage decide: most points win")
        return _("only the rounds of the last stage decide: lowest wins, the fewest points a match")
    if high:
        return _("most points of all rounds win")
    return _("lowest wins: the fewest points a match, over all rounds")
