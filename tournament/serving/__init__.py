"""Between the server and the pages: limits on what comes in, health, page cache, workers."""
