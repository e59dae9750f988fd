"""Corrections of mistakes: tried out, reviewed, and then kept or rolled back."""
