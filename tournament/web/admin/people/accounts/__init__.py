"""Organizers' pages for accounts."""
