"""Who may open a socket: where it comes from, whose it is, and how many there are."""
