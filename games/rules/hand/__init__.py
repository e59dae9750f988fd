"""A hand in play: its state, what cards do to it, and why an action is refused."""
