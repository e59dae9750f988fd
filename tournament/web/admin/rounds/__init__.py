"""Organizers' pages for rounds and tables."""
