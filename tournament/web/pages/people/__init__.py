"""Public pages for accounts and staff."""
