"""Views of a match for a window: live table, log, score sheet, past moments and replays."""
