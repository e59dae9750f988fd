"""A whole event as one file, out of one site and into another: docs/moving-an-event.md."""
