"""Forms of the public pages and of the sign-in pages."""
