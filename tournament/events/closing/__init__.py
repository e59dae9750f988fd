"""Closing of an event: unfinished business, the lock, certificates and figures."""
