"""Public views of an event: hall screens, people, and preview pictures for sharing."""
