"""Forms of the public pages and of signing in."""
