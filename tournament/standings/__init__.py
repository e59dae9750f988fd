"""Ranking by an ordered tuple of metrics, and the leaderboard that shows the ranking."""
