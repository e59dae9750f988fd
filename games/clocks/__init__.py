"""Time at the table: clocks, lag, presence, and who was first."""
