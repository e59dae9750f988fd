"""Public pages that belong to the whole site."""
