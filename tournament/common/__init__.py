"""Code shared by all packages: refusals, locks, languages, times, round names, chained rows."""
