"""The rules of the game as a library: only the standard library, no clock, no I/O.

    >>> from random import Random
    >>> from games.rules import record
    >>> from games.rules.bots.playout import Playout
    >>> from games.rules.ruleset import rulesets
    >>> from games.rules.words import explain

Make a rule set from its key and the options to change. Bots then play a hand, which is described in
words. With its record, anyone can replay and check the hand.

    >>> rules = rulesets.make("ocho", {"stacking": "none"})
    >>> played = Playout(rules, ["plain", "strong", "easy"], dealer=0, rng=Random(7))
    >>> names = ("Asha", "Ben", "Chitra")
    >>> lines = [explain.sentence(event, names, rules) for step in played.steps() for event in step]
    >>> lines[0]
    'Ben plays Green 5.'
    >>> kept = played.record("a hand of three bots")
    >>> record.check(kept) is None
    True
    >>> del kept["log"][0]
    >>> record.check(kept)
    'entry 0: refused as not-your-turn: It’s not your turn.'

People can play as well as bots. `position.Position` deals, says which seat has to act and what each
seat sees and may do, and carries out actions. `scoring.MatchScore` adds up the hands of a match. To
use the rules elsewhere, copy this folder to `games/rules` on the path. For other languages, see
`text.install`.
"""
