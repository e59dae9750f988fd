"""Typed values of live play's JSON columns, which only this package reads and writes."""
