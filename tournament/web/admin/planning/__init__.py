"""The organizers' pages."""
