"""What one serving process has of its own: who listens to what, news between processes, threads."""
