"""Benchmarks; `make bench` runs all of them, `make bench SECTION=rules` only one."""
