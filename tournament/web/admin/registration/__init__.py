"""Organizers' pages for registrations and the eligibility list."""
