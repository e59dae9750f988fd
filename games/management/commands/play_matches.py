"""``manage.py play_matches``: let bots play whole matches, and check every hand."""

from __future__ import annotations

import sys
from argparse import ArgumentParser
from collections import Counter
from dataclasses import dataclass, field
from itertools import chain
from random import Random
from typing import Any

from django.core.management.base import BaseCommand

from games.management.commands.playout import make_rule_set
from games.rules import record
from games.rules.bots import bots
from games.rules.bots.playout import Playout, play_match
from games.rules.ruleset import rulesets
from games.rules.ruleset.rulesets import RuleSet

MAX_SEATS = 6


class InvalidHandError(Exception):
    """A hand broke the rules. The message says how."""


@dataclass
class RuleSetTally:
    """Number of hands and actions played under one rule set, with the failures found."""

    hands: int = 0
    actions: int = 0
    failures: list[str] = field(default_factory=list)

    def check_hand(self, playout: Playout) -> None:
        """Count a finished hand, and check its cards and its record.

        Raises InvalidHandError if the check fails.
        """
        self.hands += 1
        self.actions += len(playout.actions)
        hand = playout.hand
        cards = Counter(chain(*hand.hands, hand.draw, hand.discard))
        if cards != Counter(playout.rs.cards()):
            raise InvalidHandError("cards were lost or doubled")
        if failure := record.check(playout.record("a hand of bots")):
            raise InvalidHandError(f"its record fails: {failure}")


class Command(BaseCommand):
    help = (
        "Let bots play matches to the target under one rule set or all of them. Checks that every "
        "hand keeps its cards and that its record replays. Exits with status 1 if a check fails."
    )
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        choices = ["all", *rulesets.RULE_SETS]
        parser.add_argument("--ruleset", default="all", choices=choices)
        parser.add_argument("--options", default="{}", help='JSON, such as {"stacking": "none"}')
        parser.add_argument("--matches", type=int, default=200, help="matches per rule set")
        parser.add_argument("--seats", type=int, help="default: 2 to 6 in turn")
        parser.add_argument("--seed", type=int, default=1)
        parser.add_argument("--strength", default="plain", choices=sorted(bots.STRENGTHS))

    def handle(self, *args: Any, **options: Any) -> None:
        keys = rulesets.RULE_SETS if options["ruleset"] == "all" else [options["ruleset"]]
        failed = [key for key in keys if not self._play_rule_set(key, options)]
        if failed:
            sys.exit(1)

    def _play_rule_set(self, key: str, options: dict[str, Any]) -> bool:
        rs = make_rule_set(key, options["options"])
        tally = RuleSetTally()
        for n in range(options["matches"]):
            _play_one_match(rs, n, tally, options)
        failures = f"{len(tally.failures)} failures" if tally.failures else "no failure"
        played = f"{options['matches']} matches, {tally.hands} hands, {tally.actions} actions"
        self.stdout.write(f"{key}: {played}, {failures}")
        for failure in tally.failures[:20]:
            self.stdout.write(f"FAIL {failure}")
        return not tally.failures


def _play_one_match(rs: RuleSet, n: int, tally: RuleSetTally, options: dict[str, Any]) -> None:
    sizes = range(rs.min_seats, min(rs.max_seats, MAX_SEATS) + 1)
    seats = options["seats"] or sizes[n % len(sizes)]
    seed = f"{options['seed']}/{rs.key}/{n}"
    rng = Random(seed)  # noqa: S311 - must be reproducible, not secret
    try:
        play_match(rs, [options["strength"]] * seats, rng, tally.check_hand)
    except Exception as error:  # every kind of failure belongs in the report
        tally.failures.append(f"match {n}, {seats} seats: {type(error).__name__}: {error}")
