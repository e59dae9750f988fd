"""Staff of an event: roles, invitations to them, and commentators."""
