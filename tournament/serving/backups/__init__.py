"""Backup of the whole database to one file while the site is running, and verified restore."""
