"""Bots, and the simulations with which they evaluate a hand."""
