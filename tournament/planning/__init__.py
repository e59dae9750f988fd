"""Forecasts by simulated matches: how long a day lasts, and who is likely to advance."""
