"""Moving a whole event between sites as one file; see docs/moving-an-event.md."""
