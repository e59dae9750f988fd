"""Measurements; `make bench` runs them all, `make bench SECTION=rules` one."""
