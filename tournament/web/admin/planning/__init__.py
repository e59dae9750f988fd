"""Organizers' pages for planning."""
