"""Downloads: spreadsheets, records, and a whole event that moves elsewhere."""
