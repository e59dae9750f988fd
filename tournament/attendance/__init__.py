"""Attendance on the day: check-in, walk-ins, no-shows and reserves."""
