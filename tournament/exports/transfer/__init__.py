"""Moving a whole event between sites as one file. See docs/moving-an-event.md."""
