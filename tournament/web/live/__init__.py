"""The live leaderboard, for pages that follow it over a socket."""
