"""Time at the table: clocks, lag, who is there, who was first."""
