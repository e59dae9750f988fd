"""Organizers' pages for check-in."""
