"""Public views of an event: hall screens, its people, and pictures to share."""
