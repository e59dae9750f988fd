"""What a window may see of a match: the live table, log, score sheet, past moments, replays."""
