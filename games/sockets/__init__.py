"""Table sockets: connections of windows, the messages they receive, and access control."""
