"""Organizers' pages for the activity log."""
