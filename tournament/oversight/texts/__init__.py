"""Sentences about rulings and pending requests, and the list of private actions."""
