"""Files that people take with them: sheets, records, a whole event that moves elsewhere."""
