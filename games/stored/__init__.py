"""What columns of live play hold as JSON, as values: read and written nowhere else."""
