"""The organizers' pages in Django's admin, grouped by subject."""
