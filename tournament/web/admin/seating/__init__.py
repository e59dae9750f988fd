"""Organizers' pages for printing."""
