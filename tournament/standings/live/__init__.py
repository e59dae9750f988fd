"""The leaderboard as it is told to pages that follow it by a socket."""
