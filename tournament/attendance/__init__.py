"""Who is here on the day: check-in, walk-ins, absentees, reserves."""
