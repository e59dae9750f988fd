"""What is said of the cut: to everybody why they go through or do not, and how many do.

Why somebody goes through is stored, so what says it makes a `Sentence`.
"""

from __future__ import annotations

from games.rules.text import _, gettext_noop, ngettext
from tournament.common.sentences import Sentence, kept
from tournament.standings.ranking import METRICS


@kept
def of_standings() -> str:
    """Part of a sentence: of what somebody has the place."""
    return _("the standings")


@kept
def of_table(number: int) -> str:
    """The same of one table."""
    return _("table {number}").format(number=number)


@kept
def through(place: int, where: Sentence, count: int) -> str:
    """Of one of the first `count`."""
    text = ngettext(
        "Place {place} of {where}; the first goes through.",
        "Place {place} of {where}; the first {count} go through.",
        count,
    )
    return text.format(place=place, where=where, count=count)


@kept
def joined(sentence: Sentence, why: Sentence) -> str:
    """The sentence, and why it is so."""
    return f"{sentence} {why}"


@kept
def replaces(place: int, where: Sentence) -> str:
    """Of somebody who would have missed it."""
    text = _("Place {place} of {where}; goes through in place of a player who is gone.")
    return text.format(place=place, where=where)


@kept
def behind(place: int, where: Sentence, count: int) -> str:
    """Of somebody behind the first `count`."""
    if not count:
        text = _("Place {place} of {where}; nobody goes through.")
    else:
        text = ngettext(
            "Place {place} of {where}; only the first goes through.",
            "Place {place} of {where}; only the first {count} go through.",
            count,
        )
    return text.format(place=place, where=where, count=count)


# Why somebody does not play on.
GONE = {
    "withdrew": gettext_noop("withdrew"),
    "disqualified": gettext_noop("was disqualified"),
    "absent": gettext_noop("is marked absent"),
}
TIES = {
    "tied": gettext_noop("{level}; all who share the last place go through together."),
    "playoff": gettext_noop("{level}; a hand is played for it."),
    "won_hand": gettext_noop("{level}; won it by the hand for it."),
    "lost_hand": gettext_noop("{level}; lost it by the hand for it."),
    "lots": gettext_noop("{level}; won it by the lots."),
    "lost_lots": gettext_noop("{level}; lost it by the lots."),
}


@kept
def level(code: str, others: int, places: int, where: Sentence) -> str:
    """Of somebody who is level with `others` for the last `places`, by what became of it."""
    return _(TIES[code]).format(level=_level(others, places, where))


def _level(others: int, places: int, where: Sentence) -> str:
    text = ngettext(
        "Level with {others} more for the last place of {where}",
        "Level with {others} more for the last {count} places of {where}",
        places,
    )
    return text.format(others=others, count=places, where=where)


@kept
def too_few(played: int, needed: int) -> str:
    """Of somebody who has finished fewer matches than taking part needs."""
    finished = ngettext("Finished {count} match", "Finished {count} matches", played)
    if not played:
        finished = _("Finished no match")
    text = ngettext(
        "{finished}; taking part means at least {count} match.",
        "{finished}; taking part means at least {count} matches.",
        needed,
    )
    return text.format(finished=finished.format(count=played), count=needed)


@kept
def no_result() -> str:
    """Of somebody who sat at no table of the round that decides."""
    return _("Has no result at a table of the round that counts.")


@kept
def cannot_go_on(why: str) -> str:
    """Of somebody who is gone, by a key of GONE."""
    return _("Cannot go on: {why}.").format(why=_(GONE[why]) if why in GONE else why)


@kept
def ahead_by(name: str, criterion: str, mine: str, theirs: str) -> str:
    """Better than somebody on the same place, by a key of METRICS."""
    text = _("Ahead of {name} by {criterion}: {mine} to {theirs}.")
    phrase = _(METRICS[criterion].phrase)
    return text.format(name=name, criterion=phrase, mine=mine, theirs=theirs)


@kept
def behind_by(name: str, criterion: str, mine: str, theirs: str) -> str:
    """Worse than somebody on the same place, by a key of METRICS."""
    text = _("Behind {name} by {criterion}: {mine} to {theirs}.")
    phrase = _(METRICS[criterion].phrase)
    return text.format(name=name, criterion=phrase, mine=mine, theirs=theirs)


@kept
def ahead_in_standings(name: str) -> str:
    """Better than somebody on the same place who is level in all else."""
    return _("Ahead of {name} in the standings.").format(name=name)


@kept
def behind_in_standings(name: str) -> str:
    """Worse than somebody on the same place who is level in all else."""
    return _("Behind {name} in the standings.").format(name=name)


@kept
def summary(took_part: int, through: int, waiting: int, players: int, places: int) -> str:
    """Of all: how many of the `players` are through or wait to play for what the rule gives."""
    if places == 0:
        text = ngettext(
            "{count} took part: by this rule nobody goes through.",
            "{count} took part: by this rule nobody goes through.",
            took_part,
        )
        return text.format(count=took_part)
    text = ngettext(
        "{took_part} took part; {through} of {all} goes through",
        "{took_part} took part; {through} of {all} go through",
        through,
    )
    cut = text.format(took_part=took_part, through=through, all=players)
    return _end(waiting, through > places, places).format(cut=cut, waiting=waiting, count=places)


def _end(waiting: int, shared: bool, places: int) -> str:
    """The end of the summary, whose beginning is `cut`."""
    if waiting:
        return ngettext(
            "{cut}, and {waiting} play a hand for what is left of the place.",
            "{cut}, and {waiting} play a hand for what is left of the {count} places.",
            places,
        )
    if shared:
        return ngettext(
            "{cut}, more than the place because the last place is shared.",
            "{cut}, more than the {count} places because the last place is shared.",
            places,
        )
    return "{cut}."
