"""The live leaderboard of an event, for its pages and sockets."""
