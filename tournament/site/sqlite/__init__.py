"""The database engine for SQLite: Django's own, which notices when a disk is writable again."""
