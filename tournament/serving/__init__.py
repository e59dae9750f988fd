"""Layers between the server and the pages: request limits, health, page cache, workers."""
