"""Which processes live: heartbeat, who was lost with one, what an outage took and gets back."""
