"""Client that plays over the network like a browser, for bots, benchmarks and tests."""
