"""Deals that no one can control and everyone can check (docs/fair-deal.md)."""
