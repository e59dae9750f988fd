"""Texts for players about rules and hands."""
