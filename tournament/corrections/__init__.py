"""Corrections of mistakes: tried, reviewed, and then kept or rolled back."""
