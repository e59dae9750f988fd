"""Accounts: sign-in, second factors, passwords, rate limits and the security log."""
