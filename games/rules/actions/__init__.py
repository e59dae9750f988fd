"""What a seat can do and know, and how both are written."""
