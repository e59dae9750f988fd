"""The live leaderboard for pages that follow it by a socket."""
