"""The line below a socket: what comes in, what it takes, and how long it is waited for."""
