"""Public pages for accounts."""
