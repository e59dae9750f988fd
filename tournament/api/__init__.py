"""Read-only JSON API for the public data of public events."""
