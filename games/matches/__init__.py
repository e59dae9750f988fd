"""Match lifecycle: requests, late calls, absent players, bots, changes of seats."""
