"""Deals that no one chooses and everyone can check: docs/fair-deal.md."""
