"""Backup of the whole database into one file while the site runs, and checked restore."""
