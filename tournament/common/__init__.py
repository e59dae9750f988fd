"""What every room shares: refusals, locks, languages, times, round names, chains of rows."""
