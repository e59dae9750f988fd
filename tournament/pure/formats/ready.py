"""The ready-made formats."""

from games.rules.text import gettext_noop
from tournament.pure.formats.shapes import ReadyFormat, StagePlan

# Predefined names of stages.
ROUNDS, LATER_ROUNDS = "rounds", "later"
FIRST, SECOND = "first", "second"
FINALS, KNOCKOUT = "finals", "knockout"

# Ties are decided by lots. If tied players advanced together, the next round could have as many
# players as this one.
FINAL_TABLES = StagePlan(name=FINALS, format="bracket", rounds_planned=1, cut_ties="lots")
# Stages that can be added to an existing event.
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
# At a table of four, each player deals once (text 001 in docs/rules-decisions.md). Without a
# target, all four hands are played.
PARTNER_HANDS = 4

_FORMATS = (
    ReadyFormat(
        key="turnout",
        name=gettext_noop("Rounds, then knockout by turnout"),
        sentence=gettext_noop(
            "Everyone plays the first round. How many advance to the second round depends "
            "on how many took part."
        ),
        stages=(
            StagePlan(name=FIRST),
            StagePlan(name=SECOND, format="bracket", rounds_planned=1, cut_ties="lots"),
        ),
    ),
    ReadyFormat(
        key="rounds",
        name=gettext_noop("Rounds for points"),
        sentence=gettext_noop(
            "Everyone plays every round and meets new opponents. The player with the most "
            "points wins. This is the simplest format."
        ),
        stages=(StagePlan(name=ROUNDS),),
    ),
    ReadyFormat(
        key="rounds-bracket",
        name=gettext_noop("Rounds, then knockout"),
        sentence=gettext_noop(
            "Everyone plays the rounds. The top 16 then play a knockout down to the final."
        ),
        stages=(StagePlan(name=ROUNDS, qualify_rule="number", qualify_value=16), FINAL_TABLES),
    ),
    ReadyFormat(
        key="three-stages",
        name=gettext_noop("Rounds, further rounds, knockout"),
        sentence=gettext_noop(
            "For many players and a full day. The top half plays two more rounds, and the "
            "top 16 of those players play the knockout."
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
        name=gettext_noop("Knockout"),
        sentence=gettext_noop(
            "The top two at each table advance, from the first round all the way to the "
            "final. Everyone else is eliminated."
        ),
        stages=(StagePlan(name=KNOCKOUT, format="bracket", rounds_planned=1, cut_ties="lots"),),
    ),
    ReadyFormat(
        key="challenge",
        name=gettext_noop("Challenge UNO"),
        sentence=gettext_noop(
            "A player who reaches the target is out of the match, and the last one left "
            "wins the table. Table winners advance until one is left."
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
        name=gettext_noop("Rotating partners"),
        sentence=gettext_noop(
            "For 4 to 16 players: everyone partners everyone else once. The number of "
            "rounds depends on how many take part."
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
            "Players score the points left in their own hands. After all rounds, the "
            "lowest total wins."
        ),
        stages=(StagePlan(name=ROUNDS),),
        options={"scoring": "lowest"},
    ),
    ReadyFormat(
        key="one-table",
        name=gettext_noop("One big table"),
        sentence=gettext_noop("For 2 to 10 players in a single match."),
        stages=(StagePlan(name=ROUNDS, rounds_planned=1),),
        ruleset="uno-assignment",
        settings={"table_size": 10, "capacity": 10},
    ),
)

READY = {each.key: each for each in _FORMATS}
USUAL = READY["turnout"]
