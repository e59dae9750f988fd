"""Organizers' pages for exports."""
