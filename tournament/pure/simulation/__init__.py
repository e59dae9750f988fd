"""Forecasts of rounds, events and advancing players by simulation.

For each rule set and number of seats, a simple bot (rules/bots/rollout.py) plays real hands.
Simulated matches are then made up of these hands. See docs/running-an-event.md.
"""
