"""Match lifecycle: players' requests, late calls, absent players, bots, seat changes."""
