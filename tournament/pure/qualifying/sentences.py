"""Sentences about the cut: how many players advance, and why a player does or does not advance.

Reasons are stored, so these functions return a `Sentence`.
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
    """Return the reason for a player who advances as one of the top `count`."""
    text = ngettext(
        "{place} {where}. Only the top player advances.",
        "{place} {where}. The top {count} advance.",
        count,
    )
    return text.format(place=ordinal(place), where=where, count=count)


@stored_sentence("joined")
def join_reason(sentence: Sentence, why: Sentence) -> str:
    """Append the reason `why` to a sentence."""
    return f"{sentence} {why}"


@stored_sentence("replaces")
def describe_replacement(place: int, where: Sentence) -> str:
    """Return the reason for a player who advances in place of one who has left."""
    text = _("{place} {where}. Advances in place of a player who has left.")
    return text.format(place=ordinal(place), where=where)


@stored_sentence("passes_bots")
def explain_that_bots_cannot_advance() -> str:
    """Explain why a player advances although bots have better places."""
    return _("Bots can’t advance.")


@stored_sentence("behind")
def describe_missed_cut(place: int, where: Sentence, count: int) -> str:
    """Return the reason for a player who is not one of the top `count`."""
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
    """Describe the outcome of a player's tie with `others` other players for the last `places`.

    `code` is a key of TIES.
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
def describe_too_few_matches(played: int, needed: int) -> str:
    """Return the reason for a player who has finished too few matches to count as taking part."""
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
def describe_no_result() -> str:
    """Return the reason for a player who had no table in the deciding round."""
    return _("Has no result from the round that counts.")


@stored_sentence("cannot_go_on")
def describe_gone(why: str) -> str:
    """Return the reason for a player who has left. `why` is a key of GONE."""
    return _("Can’t advance: {why}.").format(why=_(GONE[why]) if why in GONE else why)


@stored_sentence("ahead_by")
def ahead_by(name: str, criterion: str, mine: str, theirs: str) -> str:
    """Describe the metric that puts a player ahead of a player with the same place.

    `criterion` is a key of METRICS.
    """
    text = _("Ahead of {name} on {criterion}: {mine} to {theirs}.")
    phrase = _(METRICS[criterion].phrase)
    return text.format(name=name, criterion=phrase, mine=mine, theirs=theirs)


@stored_sentence("behind_by")
def behind_by(name: str, criterion: str, mine: str, theirs: str) -> str:
    """Describe the metric that puts a player behind a player with the same place.

    `criterion` is a key of METRICS.
    """
    text = _("Behind {name} on {criterion}: {mine} to {theirs}.")
    phrase = _(METRICS[criterion].phrase)
    return text.format(name=name, criterion=phrase, mine=mine, theirs=theirs)


@stored_sentence("ahead_in_standings")
def ahead_in_standings(name: str) -> str:
    """Explain that the standings put a player ahead of a player with the same place."""
    return _("Ahead of {name} in the standings.").format(name=name)


@stored_sentence("behind_in_standings")
def behind_in_standings(name: str) -> str:
    """Explain that the standings put a player behind a player with the same place."""
    return _("Behind {name} in the standings.").format(name=name)


@stored_sentence("summary")
def summarize_cut(took_part: int, through: int, waiting: int, players: int, places: int) -> str:
    """Summarize how many players advance and how many still have to play a tie-break hand."""
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
    """Yield a sentence about ties for the last places if they change how many players advance."""
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
