"""`manage.py plan_event RULESET`: estimate the duration of a round from simulated matches."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.rules.ruleset import rulesets
from tournament.pure.arrangement import SeatingError, SeatingRules, table_sizes
from tournament.pure.simulation.rounds import HumanPace, forecast_round

HEADING = "seats target tables  hands (5-50-95 %)         minutes  all done  without points"


class Command(BaseCommand):
    help = (
        "Estimate how long a round takes, by table size and target, from matches played by bots. "
        "Example: plan_event uno-500 --players 60 --tables-of 3 4 5 --targets 200 300 500"
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("ruleset", help=", ".join(rulesets.RULE_SETS))
        parser.add_argument("--players", type=int, default=40)
        parser.add_argument("--tables-of", type=int, nargs="+", default=[3, 4, 5, 6])
        parser.add_argument("--targets", type=int, nargs="+", help="default: the rule set's own")
        parser.add_argument("--hand-limit", type=int, help="maximum hands in a match")
        parser.add_argument("--seconds", type=float, default=5, help="average time for an action")
        parser.add_argument("--between", type=float, default=12, help="seconds between two hands")
        parser.add_argument("--matches", type=int, default=30, help="simulated for each line")

    def handle(self, *, ruleset: str, **options: Any) -> None:
        if options["matches"] < 1:
            raise CommandError("A forecast needs at least one match.")
        try:
            targets = options["targets"] or [rulesets.make(ruleset).target]
            self.stdout.write(HEADING)
            for seats in options["tables_of"]:
                for target in targets:
                    self.stdout.write(format_line(ruleset, seats, target, options))
        except (KeyError, rulesets.OptionError, SeatingError) as error:
            raise CommandError(str(error)) from error


def format_line(ruleset: str, seats: int, target: int, options: dict[str, Any]) -> str:
    """Return a line of the table: the forecast for one table size and target."""
    rules = rulesets.make(ruleset, {"target": target})
    sizes, _ = table_sizes(
        options["players"], SeatingRules(seats, rules.min_seats, rules.max_seats)
    )
    result = forecast_round(
        rules,
        seats,
        len(sizes),
        matches=options["matches"],
        pace=HumanPace(options["seconds"], options["between"]),
        hand_limit=options["hand_limit"],
    )
    hands = "-".join(f"{value:.0f}" for value in result.hands)
    minutes = "-".join(f"{value:.0f}" for value in result.minutes)
    return (
        f"{seats:5} {target:6} {result.tables:6} {hands:>18} {minutes:>15} "
        f"{result.slowest:5.0f} min {result.pointless:14.0%}"
    )
