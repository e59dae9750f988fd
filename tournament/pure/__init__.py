"""Pure parts of events: functions of their arguments, without Django or a database."""
