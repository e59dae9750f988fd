"""Deals that nobody chooses and everybody can check: docs/fair-deal.md."""
