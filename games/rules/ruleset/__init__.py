"""Rule sets and their options, as data."""
