"""The ready formats. A new one is an entry here."""

from games.rules.text import gettext_noop
from tournament.events.formats.shapes import ReadyFormat, StagePlan

# Names of stages.
ROUNDS, LATER_ROUNDS = "rounds", "later"
FIRST, SECOND = "first", "second"
FINALS, KNOCKOUT = "finals", "knockout"

# Level players who went on together would fill the next round with as many as this one.
FINAL_TABLES = StagePlan(name=FINALS, format="bracket", rounds_planned=1, cut_ties="lots")
# What can be added behind the stages of an event.
LATER = {
    "rounds": StagePlan(
        name=LATER_ROUNDS,
        rounds_planned=1,
        by_points=True,
        qualify_rule="number",
        qualify_value=16,
    ),
    "bracket": FINAL_TABLES,
}
# Four players sit at a table and each deals once (001): without a target, all four are played.
PARTNER_HANDS = 4

_FORMATS = (
    ReadyFormat(
        key="turnout",
        name=gettext_noop("Two rounds, as per participation"),
        sentence=gettext_noop(
            "Everybody plays the first round; how many go on to the second one follows from how "
            "many took part."
        ),
        stages=(
            StagePlan(name=FIRST),
            StagePlan(name=SECOND, format="bracket", rounds_planned=1, cut_ties="lots"),
        ),
    ),
    ReadyFormat(
        key="rounds",
        name=gettext_noop("Rounds with points"),
        sentence=gettext_noop(
            "Everybody plays every round and meets new people; most points win. The simplest one."
        ),
        stages=(StagePlan(name=ROUNDS),),
    ),
    ReadyFormat(
        key="rounds-bracket",
        name=gettext_noop("Rounds, then final tables"),
        sentence=gettext_noop(
            "Everybody plays the rounds; the best 16 then play on at tables until one is left: the "
            "final."
        ),
        stages=(StagePlan(name=ROUNDS, qualify_rule="number", qualify_value=16), FINAL_TABLES),
    ),
    ReadyFormat(
        key="three-stages",
        name=gettext_noop("Rounds, second rounds, final tables"),
        sentence=gettext_noop(
            "For many players and a whole day: the better half plays two more rounds, and the best "
            "16 of those the final tables."
        ),
        stages=(
            StagePlan(name=ROUNDS, rounds_planned=2, qualify_rule="share", qualify_value=50),
            StagePlan(
                name=LATER_ROUNDS,
                rounds_planned=2,
                by_points=True,
                qualify_rule="number",
                qualify_value=16,
            ),
            FINAL_TABLES,
        ),
    ),
    ReadyFormat(
        key="knock-out",
        name=gettext_noop("Tables until one is left"),
        sentence=gettext_noop(
            "The best two of each table go on, from the first table to the final; the others are "
            "out."
        ),
        stages=(StagePlan(name=KNOCKOUT, format="bracket", rounds_planned=1, cut_ties="lots"),),
    ),
    ReadyFormat(
        key="challenge",
        name=gettext_noop("Challenge UNO"),
        sentence=gettext_noop(
            "Who reaches the target is out of the match; the last one left wins the table, and the "
            "best of each table go on until one is left."
        ),
        stages=(
            StagePlan(
                name=KNOCKOUT, format="bracket", rounds_planned=1, cut_ties="lots", advance=1
            ),
        ),
        ruleset="uno-500",
        options={"scoring": "elimination"},
    ),
    ReadyFormat(
        key="partners",
        name=gettext_noop("Partners, each with every other"),
        sentence=gettext_noop(
            "For 4 to 16 players: everybody has everybody else as partner once; the number of "
            "rounds follows from how many take part."
        ),
        stages=(StagePlan(name=ROUNDS, rotation=True),),
        ruleset="uno-500",
        options={"partners": True, "target": 0},
        settings={"table_size": 4, "hand_limit": PARTNER_HANDS},
    ),
    ReadyFormat(
        key="lowest",
        name=gettext_noop("Lowest total"),
        sentence=gettext_noop(
            "Everybody counts what was left in the own hand; after all rounds the lowest total "
            "wins."
        ),
        stages=(StagePlan(name=ROUNDS),),
        options={"scoring": "lowest"},
    ),
    ReadyFormat(
        key="one-table",
        name=gettext_noop("One big table"),
        sentence=gettext_noop("For 2 to 10 players who play one match together."),
        stages=(StagePlan(name=ROUNDS, rounds_planned=1),),
        ruleset="uno-assignment",
        settings={"table_size": 10, "capacity": 10},
    ),
)

READY = {each.key: each for each in _FORMATS}
USUAL = READY["turnout"]
