"""The public pages, grouped by subject."""
