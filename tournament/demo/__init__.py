"""Demo for `make run`, with fictional students, their events and automatic players."""
