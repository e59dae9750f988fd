"""Emails: written, kept until they are sent, and tracked."""
