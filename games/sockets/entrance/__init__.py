"""Admission of sockets: by origin, by identity and by number."""
