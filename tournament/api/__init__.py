"""Read-only JSON API with public facts of public events; `v1` has its addresses."""
