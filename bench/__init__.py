"""Benchmarks. `make bench` runs all of them, and `make bench SECTION=rules` only one."""
