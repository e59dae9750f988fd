"""What everybody sees of an event: screens that follow it, its people, pictures to share."""
