"""The site from outside, as a browser plays on it: for bots, benches and tests."""
