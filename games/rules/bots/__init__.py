"""Automatic players, and their evaluation of a hand."""
