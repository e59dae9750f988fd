"""Sentences by kind, for rulings and pending steps, and the list of private actions."""
