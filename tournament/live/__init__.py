"""Pages that follow an event by themselves: the leaderboard and the event's socket."""
