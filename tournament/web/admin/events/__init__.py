"""Organizers' pages for events."""
