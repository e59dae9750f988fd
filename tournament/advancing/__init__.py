"""Advancing from the first round to the winner, with replacements and play-offs."""
