"""Descriptions of a planned event, based on its format and rules."""

from collections.abc import Iterator, Sequence
from itertools import pairwise

from games.rules.text import _, gettext_noop, ngettext
from tournament.pure.formats.counts import count_rounds
from tournament.pure.formats.shapes import MatchPlan, StageShape

EXAMPLE_TURNOUTS = (8, 16)


def match_clauses(play: MatchPlan) -> Iterator[str]:
    """Yield clauses on the rules, the table size, partners and the end of a match."""
    text = _("{rules}, tables of {size}")
    yield text.format(rules=play.rules, size=play.table_size)
    if play.partners:
        yield _("partners sit across from each other and share their points")
    yield from _describe_win(play)


def _describe_win(play: MatchPlan) -> Iterator[str]:
    """Yield clauses on how a match is won."""
    ends = describe_limits(play)
    texts = _WITH_TARGET if play.target else _WITHOUT_TARGET
    yield _(texts[play.scoring]).format(target=play.target, ends=ends)
    if play.target and ends:
        early = _("unless it ends sooner, a match ends {ends}, and the highest total wins it")
        if play.scoring != "winner-takes":
            early = _("unless it ends sooner, a match ends {ends}, and the lowest total wins it")
        yield early.format(ends=ends)


_WITH_TARGET = {
    "winner-takes": gettext_noop("the first player to reach {target} points wins the match"),
    "lowest": gettext_noop(
        "once a player reaches {target} points, the lowest total wins the match"
    ),
    "elimination": gettext_noop(
        "a player who reaches {target} points is out of the match, and the last one left wins it"
    ),
}
_WITHOUT_TARGET = {
    "winner-takes": gettext_noop("there is no target: the highest total {ends} wins the match"),
    "lowest": gettext_noop("there is no target: the lowest total {ends} wins the match"),
}


def describe_limits(play: MatchPlan) -> str:
    """Describe when a match ends at the latest, such as "after 4 hands", or return ""."""
    limits = []
    if play.hands:
        limits.append(
            ngettext("after {n} hand", "after {n} hands", play.hands).format(n=play.hands)
        )
    if play.minutes:
        text = ngettext("after {n} minute", "after {n} minutes", play.minutes)
        limits.append(text.format(n=play.minutes))
    return _(" or ").join(limits)


def summarize_stages(stages: Sequence[StageShape]) -> str:
    """Summarize the stages, such as "3 rounds for everyone, then the top 16 play a knockout …"."""
    descriptions = [
        _describe_stage(stages[0], first=True),
        *(_describe_later_stage(*pair) for pair in pairwise(stages)),
    ]
    return _(", then ").join(descriptions)


def format_clauses(
    stages: Sequence[StageShape], play: MatchPlan, players: int = 0
) -> Iterator[str]:
    """Yield clauses on the stages, the number of rounds and what decides the winner.

    `players` is the number of players, or 0 if it is unknown.
    """
    yield summarize_stages(stages)
    if round_counts := _describe_round_counts(stages[0], play, players):
        yield round_counts
    yield describe_winning(stages, play.scoring)


def _describe_later_stage(previous: StageShape, stage: StageShape) -> str:
    """Describe which players advance to a stage, and how it is played."""
    players = _(_ADVANCING[previous.qualify_rule]).format(n=previous.qualify_value)
    return _("{who} play {stage}").format(who=players, stage=_describe_stage(stage, first=False))


_ADVANCING = {
    "number": gettext_noop("the top {n}"),
    # xgettext:no-python-format
    "share": gettext_noop("the top {n}%"),
    "top_k": gettext_noop("the top {n} of each table"),
    "thresholds": gettext_noop("the top players (how many depends on turnout)"),
}


def _describe_stage(stage: StageShape, *, first: bool) -> str:
    if stage.format == "bracket":
        return _describe_bracket(stage.advance, first=first)
    if stage.rotation:
        return _("rounds in which everyone partners everyone else once")
    count = stage.rounds_planned
    if first:
        text = ngettext("{n} round for everyone", "{n} rounds for everyone", count)
    else:
        text = ngettext("{n} more round", "{n} more rounds", count)
    return text.format(n=count)


def _describe_bracket(advance: int, *, first: bool) -> str:
    if first:
        text = ngettext(
            "a knockout for everyone in which the winner of each table advances, all the "
            "way to the final",
            "a knockout for everyone in which the top {n} of each table advance, all the "
            "way to the final",
            advance,
        )
    else:
        text = ngettext(
            "a knockout in which the winner of each table advances, all the way to the final",
            "a knockout in which the top {n} of each table advance, all the way to the final",
            advance,
        )
    return text.format(n=advance)


def _describe_round_counts(stage: StageShape, play: MatchPlan, players: int) -> str:
    """Describe the number of rounds of a stage, or return "" if it does not depend on turnout.

    If the number of players is unknown (0), two examples are given.
    """
    if stage.format != "bracket" and not stage.rotation:
        return ""
    counts = [
        _describe_rounds(count, rounds)
        for count in ([players] if players else EXAMPLE_TURNOUTS)
        if (rounds := count_rounds(stage, count, play))
    ]
    return ", ".join(counts)


def _describe_rounds(players: int, rounds: int) -> str:
    text = ngettext(
        "{rounds} round with {players} players", "{rounds} rounds with {players} players", rounds
    )
    return text.format(rounds=rounds, players=players)


def describe_winning(stages: Sequence[StageShape], scoring: str) -> str:
    """Return a clause on what decides the winner of an event."""
    if stages and stages[-1].format == "bracket":
        return _("the winner of the final wins the event")
    high = scoring == "winner-takes"
    if len(stages) > 1:
        if high:
            return _("the player with the most points in the last stage wins the event")
        return _("the player with the fewest points per match in the last stage wins the event")
    if high:
        return _("the player with the most points over all rounds wins the event")
    return _("the player with the fewest points per match over all rounds wins the event")
