"""Seating: drawing, explanation, changes by hand, publication and printing."""
