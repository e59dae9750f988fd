"""Public facts of public events for other programs: read only, as JSON. `v1` has the addresses."""
