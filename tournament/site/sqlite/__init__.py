"""Database engine for SQLite that recovers after its file was read-only."""
