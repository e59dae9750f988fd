"""``manage.py playout``: play one hand with bots and describe it in words."""

from __future__ import annotations

import json
from argparse import ArgumentParser
from collections.abc import Iterable
from pathlib import Path
from random import Random
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.rules.bots import bots
from games.rules.bots.playout import Playout
from games.rules.hand.events import Event
from games.rules.ruleset import rulesets
from games.rules.ruleset.rulesets import OptionError, RuleSet
from games.rules.words import explain, words

NAMES = ("Asha", "Ben", "Chitra", "Dev", "Esha", "Farid", "Gita", "Hari", "Ines", "Jai")


class Command(BaseCommand):
    help = "Let bots play one hand, describe each move, and optionally write the hand's record."
    requires_system_checks = []

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--ruleset", default="ocho", help=", ".join(rulesets.RULE_SETS))
        parser.add_argument("--options", default="{}", help='JSON, such as {"stacking": "none"}')
        parser.add_argument("--seats", type=int, default=4)
        parser.add_argument("--seed", type=int, default=1, help="the same seed deals the same hand")
        parser.add_argument("--strength", default="plain", choices=sorted(bots.STRENGTHS))
        parser.add_argument("--record", type=Path, help="write the hand record to this file")

    def handle(self, *args: Any, **options: Any) -> None:
        rs = make_rule_set(options["ruleset"], options["options"])
        rng = Random(options["seed"])  # noqa: S311 - must be reproducible, not secret
        seats = options["seats"]
        try:
            rs.check_seats(seats)
        except OptionError as error:
            raise CommandError(str(error)) from None
        played = Playout(rs, [options["strength"]] * seats, rng.randrange(seats), rng)
        self._print_progress(played)
        if options["record"]:
            name = f"{rs.key}: {seats} {options['strength']} bots, seed {options['seed']}"
            text = json.dumps(played.record(name), ensure_ascii=False)
            options["record"].write_text(f"{text}\n", encoding="utf-8")

    def _print_progress(self, playout: Playout) -> None:
        names = NAMES[: playout.hand.seats]
        self.stdout.write(f"{playout.rs.name}. {names[playout.dealer]} deals.")
        for seat, name in enumerate(names):
            held = ", ".join(words.card_names(playout.rs, playout.hand.cards(seat)))
            self.stdout.write(f"{name} holds {held}.")
        self._describe_events(playout.opening, names, playout.rs)
        for events in playout.steps():
            self._describe_events(events, names, playout.rs)
        points = zip(names, playout.hand.points, strict=True)
        self.stdout.write("Points: " + ", ".join(f"{name} {n}" for name, n in points))

    def _describe_events(
        self, events: Iterable[Event], names: tuple[str, ...], rs: RuleSet
    ) -> None:
        for event in events:
            self.stdout.write(explain.sentence(event, names, rs))


def make_rule_set(key: str, options: str) -> RuleSet:
    """Return the rule set for the arguments of a command.

    Raises CommandError if they are invalid.
    """
    try:
        changes = json.loads(options)
    except ValueError as error:
        raise CommandError(f"--options is not JSON: {error}") from None
    if not isinstance(changes, dict):
        raise CommandError('--options is an object, such as {"stacking": "none"}.')
    try:
        return rulesets.make(key, changes)
    except OptionError as error:
        raise CommandError(str(error)) from None
