"""Sign-in with college accounts: the issuer's claims, and the matching account on this site."""
