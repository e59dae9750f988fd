"""Network connections of the sockets, and timeouts."""
