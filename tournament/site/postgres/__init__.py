"""Database engine for PostgreSQL: Django's own, with different timeouts."""
