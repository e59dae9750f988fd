"""Rules of the game, as a library without I/O, a clock or third-party packages.

    >>> from random import Random
    >>> from games.rules import record
    >>> from games.rules.bots.playout import Playout
    >>> from games.rules.ruleset import rulesets
    >>> from games.rules.words import explain

This example makes a rule set from its key and one changed option. Bots play a hand, and each event
is described in words. The record of the hand passes the check. Without its first action, it fails.

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

For hands with human players, `position.Position` deals the cards, carries out actions and shows
each seat what it may see and do. `scoring.MatchScore` adds up the hands of a match. To use the
rules in another project, copy this folder to `games/rules` on its import path. To translate the
texts, see `text.install`.

In docstrings and comments, numbers such as 002 refer to the published rules that are listed in
docs/rules-decisions.md. “All” means that all of them agree.
"""
