"""The public pages, by room."""
