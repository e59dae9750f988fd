"""Who runs an event: roles, invitations to them, and commentators."""
