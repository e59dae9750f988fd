"""Personal data: what is stored, for how long, and how it is erased."""
