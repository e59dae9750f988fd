"""The rules of the game as a library: Python's standard library alone, no clock, no I/O.

    >>> from random import Random
    >>> from games.rules import record
    >>> from games.rules.bots.playout import Playout
    >>> from games.rules.ruleset import rulesets
    >>> from games.rules.words import explain

A rule set is made from its key and the options that differ from its own. Bots play a hand,
which is put into words. Its record lets anyone play it again and judge it.

    >>> rules = rulesets.make("ocho", {"stacking": "none"})
    >>> played = Playout(rules, ["plain", "strong", "easy"], dealer=0, rng=Random(7))
    >>> names = ("Asha", "Ben", "Chitra")
    >>> told = [explain.sentence(event, names, rules) for step in played.steps() for event in step]
    >>> told[0]
    'Ben plays Green 5.'
    >>> kept = played.record("a hand of three bots")
    >>> record.check(kept) is None
    True
    >>> del kept["log"][0]
    >>> record.check(kept)
    'entry 0: refused as not-your-turn: It’s not your turn.'

People can hold the cards as well as bots. `position.Position` deals, says which seat is to
act and what each seat sees and may do, and takes actions. `scoring.MatchScore` adds hands up
to a match. To use the rules elsewhere, copy this folder to `games/rules` on the path. For
other languages, see `text.install`.
"""
