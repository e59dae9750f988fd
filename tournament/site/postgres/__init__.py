"""The database engine for PostgreSQL: Django's own, with its own patience."""
