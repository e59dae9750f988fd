"""Organizers' pages of the desk."""
