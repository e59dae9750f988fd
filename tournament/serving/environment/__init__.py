"""Settings from outside: what each variable may be, and what is wrong with those that are set."""
