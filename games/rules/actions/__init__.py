"""What a seat can do and what it knows, as data."""
