"""Emails: composition, storage until they are sent, and delivery status."""
