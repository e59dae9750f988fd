"""Texts for people about rules and hands."""
