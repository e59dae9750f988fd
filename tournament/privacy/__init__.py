"""Personal data: what is kept of whom, for how long, and making people nameless."""
