"""Admission of sockets by origin, identity and number of connections."""
