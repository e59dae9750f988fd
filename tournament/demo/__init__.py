"""Demo served by `make run`, with invented students, their events and automatic players."""
