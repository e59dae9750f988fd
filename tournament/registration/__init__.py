"""A person's way into an event and out of it, and the list of those who may take part."""
