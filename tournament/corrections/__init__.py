"""Corrections of mistakes: tried out, reviewed, then kept or rolled back."""
