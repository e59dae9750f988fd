"""Accounts, staff, names, needs and presence."""
