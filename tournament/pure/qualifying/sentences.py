"""Sentences about the cut: how many players advance, and why each player does or does not.

Reasons are stored, so their functions return a `Sentence`.
"""

from __future__ import annotations

from collections.abc import Iterator

from games.rules.text import _, gettext_noop, ngettext
from tournament.pure.ranking import METRICS
from tournament.pure.sentences import Sentence, stored_sentence
from tournament.pure.words import ordinal


@stored_sentence("of_standings")
def name_standings() -> str:
    """Return the phrase "in the standings"."""
    return _("in the standings")


@stored_sentence("of_table")
def name_table(number: int) -> str:
    """Return the phrase "at table {number}"."""
    return _("at table {number}").format(number=number)


@stored_sentence("through")
def describe_advancing(place: int, where: Sentence, count: int) -> str:
    """Return the reason for a player among the first `count`."""
    text = ngettext(
        "{place} {where}. Only the top player advances.",
        "{place} {where}. The top {count} advance.",
        count,
    )
    return text.format(place=ordinal(place), where=where, count=count)


@stored_sentence("joined")
def join_reason(sentence: Sentence, why: Sentence) -> str:
    """Append a reason to a sentence."""
    return f"{sentence} {why}"


@stored_sentence("replaces")
def replaces(place: int, where: Sentence) -> str:
    """Return the reason for a player who replaces one who has left."""
    text = _("{place} {where}. Advances in place of a player who has left.")
    return text.format(place=ordinal(place), where=where)


@stored_sentence("passes_bots")
def passes_bots() -> str:
    """Explain that a player advances although bots have better places."""
    return _("Bots can’t advance.")


@stored_sentence("behind")
def describe_missing(place: int, where: Sentence, count: int) -> str:
    """Return the reason for a player behind the first `count`."""
    if not count:
        text = _("{place} {where}. No one advances.")
    else:
        text = ngettext(
            "{place} {where}. Only the top player advances.",
            "{place} {where}. The top {count} advance.",
            count,
        )
    return text.format(place=ordinal(place), where=where, count=count)


# Reasons why a player cannot advance.
GONE = {
    "withdrew": gettext_noop("withdrew"),
    "disqualified": gettext_noop("disqualified"),
    "absent": gettext_noop("marked absent"),
}
TIES = {
    "tied": gettext_noop("{level}. All tied players advance."),
    "playoff": gettext_noop("{level}. A tie-break hand will decide."),
    "won_hand": gettext_noop("{level}. Won the tie-break hand."),
    "lost_hand": gettext_noop("{level}. Lost the tie-break hand."),
    "lots": gettext_noop("{level}. Won by drawing lots."),
    "lost_lots": gettext_noop("{level}. Lost by drawing lots."),
}


@stored_sentence("level")
def describe_tie(code: str, others: int, places: int, where: Sentence) -> str:
    """Describe how a tie with `others` for the last `places` was decided for a player.

    `code` is the outcome.
    """
    return _(TIES[code]).format(level=_name_tie(others, places, where))


def _name_tie(others: int, places: int, place: Sentence) -> str:
    others_text = ngettext("{count} other player", "{count} other players", others).format(
        count=others
    )
    text = ngettext(
        "Tied with {others} for the last spot {where}",
        "Tied with {others} for the last {count} spots {where}",
        places,
    )
    return text.format(others=others_text, count=places, where=place)


@stored_sentence("too_few")
def too_few(played: int, needed: int) -> str:
    """Return the reason for a player with too few finished matches to have taken part."""
    finished = ngettext("Finished {count} match", "Finished {count} matches", played)
    if not played:
        finished = _("Hasn’t finished a match")
    text = ngettext(
        "{finished}. A player needs at least {count} match to count as taking part.",
        "{finished}. A player needs at least {count} matches to count as taking part.",
        needed,
    )
    return text.format(finished=finished.format(count=played), count=needed)


@stored_sentence("no_result")
def no_result() -> str:
    """Return the reason for a player without a table in the deciding round."""
    return _("Has no result from the round that counts.")


@stored_sentence("cannot_go_on")
def cannot_go_on(why: str) -> str:
    """Return the reason for a player who cannot advance. `why` is a key of GONE."""
    return _("Can’t advance: {why}.").format(why=_(GONE[why]) if why in GONE else why)


@stored_sentence("ahead_by")
def ahead_by(name: str, criterion: str, mine: str, theirs: str) -> str:
    """Describe what puts a player ahead of another in the same place.

    `criterion` is a key of METRICS.
    """
    text = _("Ahead of {name} on {criterion}: {mine} to {theirs}.")
    phrase = _(METRICS[criterion].phrase)
    return text.format(name=name, criterion=phrase, mine=mine, theirs=theirs)


@stored_sentence("behind_by")
def explain_criterion(name: str, criterion: str, mine: str, theirs: str) -> str:
    """Describe what puts a player behind another in the same place.

    `criterion` is a key of METRICS.
    """
    text = _("Behind {name} on {criterion}: {mine} to {theirs}.")
    phrase = _(METRICS[criterion].phrase)
    return text.format(name=name, criterion=phrase, mine=mine, theirs=theirs)


@stored_sentence("ahead_in_standings")
def ahead_in_standings(name: str) -> str:
    """Describe a player whom only the standings put ahead of another in the same place."""
    return _("Ahead of {name} in the standings.").format(name=name)


@stored_sentence("behind_in_standings")
def explain_name_order(name: str) -> str:
    """Describe a player whom only the standings put behind another in the same place."""
    return _("Behind {name} in the standings.").format(name=name)


@stored_sentence("summary")
def summary(took_part: int, through: int, waiting: int, players: int, places: int) -> str:
    """Summarize the cut: how many players advance, and how many wait for a play-off."""
    if places == 0:
        text = ngettext(
            "{count} player took part. Under this rule, no one advances.",
            "{count} players took part. Under this rule, no one advances.",
            took_part,
        )
        return text.format(count=took_part)
    return " ".join(
        [
            _describe_advancing(took_part, through, players),
            *_describe_ties(waiting, through, places),
        ]
    )


def _describe_advancing(took_part: int, through: int, players: int) -> str:
    if took_part == players:
        text = ngettext(
            "{count} of {players} players advances.",
            "{count} of {players} players advance.",
            through,
        )
    else:
        text = ngettext(
            "{count} of {players} players advances ({took_part} took part).",
            "{count} of {players} players advance ({took_part} took part).",
            through,
        )
    return text.format(count=through, players=players, took_part=took_part)


def _describe_ties(waiting: int, through: int, places: int) -> Iterator[str]:
    """Describe the effect of ties at the cut that are not decided yet."""
    if waiting:
        text = ngettext(
            "{waiting} tied players still have to play a hand for the last spot.",
            "{waiting} tied players still have to play a hand for the last {count} spots.",
            places - through,
        )
        yield text.format(waiting=waiting, count=places - through)
    elif through > places:
        text = ngettext(
            "That is more than the {count} planned spot, because everyone tied for the "
            "last spot advances.",
            "That is more than the {count} planned spots, because everyone tied for the "
            "last spot advances.",
            places,
        )
        yield text.format(count=places)
