"""Settings from the environment: the valid values of each variable, and errors in set ones."""
