"""Texts about rules and hands for players to read."""
