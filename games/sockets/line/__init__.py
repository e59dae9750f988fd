"""Connections below the sockets: incoming data, memory use and timeouts."""
