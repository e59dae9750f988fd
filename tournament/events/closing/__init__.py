"""Closing of an event: unfinished items, the lock, certificates and statistics."""
