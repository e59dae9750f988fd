"""Client that plays on the site from outside, for bots, benchmarks and tests."""
