"""Registration for an event, withdrawal from it, and its eligibility list."""
