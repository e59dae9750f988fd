"""Personal data: what is stored about whom, for how long, and how it is erased."""
