"""Forecasts of rounds, whole days and advancing players from simulated matches.

Pure: takes values and a random generator and returns figures. Nothing is stored or queried. A
simple bot (rules/bots/rollout.py) plays real hands, once for each rule set and number of seats.
Matches are then drawn from these hands, hand by hand. See docs/running-an-event.md.
"""
