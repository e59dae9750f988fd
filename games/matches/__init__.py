"""A match from its making to its end: requests, late calls, absent seats, bots, seat holders."""
