"""Exports: spreadsheets, hand records, and the file that moves an event to another site."""
