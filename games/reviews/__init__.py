"""Was it luck? What the worker finds out about a match that is over, and the page that tells it."""
