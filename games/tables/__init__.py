"""A match as a window may see it: the live table, log, score sheet, past moments, replays."""
