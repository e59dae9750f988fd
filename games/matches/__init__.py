"""The life of a match: requests, late calls, absent players, bots, changes of seats."""
