"""Accounts: signing in, second factors, passwords, limits on guessing, and the security log."""
