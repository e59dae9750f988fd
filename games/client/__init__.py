"""Client that plays on the site from outside. Bots, benchmarks and tests use it."""
