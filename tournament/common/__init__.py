"""Shared by every room: refusals, locks, languages, times, round names, chains of rows."""
