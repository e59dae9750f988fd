"""Connections below the sockets, and timeouts."""
