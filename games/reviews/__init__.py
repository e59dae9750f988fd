"""“Was it luck?”: the worker's review of a finished match, and the page that shows it."""
