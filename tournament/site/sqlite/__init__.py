"""Database engine for SQLite: Django's own, which notices when the disk is writable again."""
