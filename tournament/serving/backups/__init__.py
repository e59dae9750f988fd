"""The whole database as one file, while the site runs, and back again: checked on both ways."""
