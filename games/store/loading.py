"""Reading a match from the database: whole, or what is new of it."""

from collections.abc import Mapping
from dataclasses import replace

import orjson

from games.models import Match
from games.process import process_cache
from games.rules.hand.position import Position
from games.rules.ruleset import rulesets
from games.rules.ruleset.rulesets import RuleSet
from games.store import statements
from games.store.snapshot import Snapshot

# Columns that only a deal, a record or a proof needs; they are loaded when asked for.
HEAVY = ("deck", "final")
# This many rule sets are shared by all matches that use them.
RULES = 64


def load(match_id: int) -> Snapshot:
    """Load the match from the database, with all parts of the same version."""
    while True:
        snapshot = _load(Match.objects.get(pk=match_id))
        if Match.objects.filter(pk=match_id, version=snapshot.version).exists():
            return snapshot


def reload(known: Snapshot) -> Snapshot | None:
    """Return the match as it is in the database now, with one query for what is new.

    The query does not depend on the length of the log. The result is None if the match's hands or
    seats are no longer the known ones.
    """
    hand = known.hand
    found = statements.read_on(known.match, hand.pk if hand else None, len(known.actions))
    if found is None:
        return None
    match, new = found
    match.options = known.match.options
    return Snapshot(
        match=match,
        rules=known.rules,
        seats=known.seats,
        hands=known.hands,
        position=_take_position(match, known.rules),
        actions=(*known.actions, *new),
    )


def _load(match: Match) -> Snapshot:
    rules, match.options = _share_rule_set(match.ruleset, orjson.dumps(match.options))
    hands = tuple(match.hands.defer(*HEAVY).order_by("number"))
    dealt = [hand for hand in hands if hand.dealt_at]
    return Snapshot(
        match=match,
        rules=rules,
        seats=tuple(match.seats.order_by("number")),
        hands=hands,
        position=_take_position(match, rules),
        actions=tuple(dealt[-1].actions.order_by("number")) if dealt else (),
    )


@process_cache(RULES)
def _share_rule_set(ruleset: str, options: bytes) -> tuple[RuleSet, Mapping[str, object]]:
    """Return a rule set and its options, shared by all matches that have them."""
    read = orjson.loads(options)
    return rulesets.make(ruleset, read), read


def _take_position(match: Match, rules: RuleSet) -> Position | None:
    """Return the position and remove it from the match."""
    position, match.state = match.state.position, replace(match.state, position=None)
    return None if position is None else Position.from_json(rules, position)
