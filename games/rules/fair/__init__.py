"""Deals that no one controls and everyone can check: docs/fair-deal.md."""
