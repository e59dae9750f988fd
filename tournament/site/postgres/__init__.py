"""Database engine for PostgreSQL that does not wait for an unavailable server."""
