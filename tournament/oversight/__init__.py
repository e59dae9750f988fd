"""Rights, the activity log, the event history and confirmation by a second organizer."""
