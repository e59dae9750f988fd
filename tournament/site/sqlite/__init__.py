"""The database engine for SQLite: Django's own, which finds a disk that was mended."""
