"""Forecasts of rounds, events and advancing players by simulation.

A simple bot (rules/bots/rollout.py) plays real hands, once for each rule set and number of seats.
Simulated matches are then drawn from these hands. The functions take values and a random
generator, and return figures. Nothing is stored or queried. See docs/running-an-event.md.
"""
