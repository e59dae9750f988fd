"""Pages and helpers for the whole site."""
