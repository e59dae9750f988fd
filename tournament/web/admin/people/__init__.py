"""Organizers' pages for the event's staff."""
