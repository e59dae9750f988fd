"""What every room says alike: refusals, locks, languages, times, round names, chains of rows."""
