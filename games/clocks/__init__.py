"""Time at the table: clocks, lag, presence, and the order of competing claims."""
