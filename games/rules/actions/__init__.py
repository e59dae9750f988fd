"""Actions of a seat and views of a hand, as data."""
