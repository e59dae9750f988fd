"""Signing in with the college's account: what its issuer says, and whose account that is here."""
