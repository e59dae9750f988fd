"""The organizers' pages, by room, in Django's admin."""
