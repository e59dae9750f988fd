"""Code that all packages share: refusals, locks, languages, times and round names."""
