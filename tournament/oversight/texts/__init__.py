"""Sentences by kind, for rulings and pending requests, and the list of private actions."""
