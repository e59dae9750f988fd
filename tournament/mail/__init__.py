"""Emails: writing, storing until they are sent, and tracking."""
