"""Shared parts of the organizers' pages: rights, forms, fields and links."""
