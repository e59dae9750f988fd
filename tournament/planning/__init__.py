"""Forecasts from simulated matches: length of the day, and players' chances to advance."""
