"""Seats: drawn, explained, changed by hand, published and printed."""
