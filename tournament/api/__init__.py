"""Read-only JSON API with public facts about public events. `v1` has its endpoints."""
