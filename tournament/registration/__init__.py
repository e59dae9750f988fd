"""Registration for an event, withdrawal, and the eligibility list."""
