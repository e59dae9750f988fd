"""Sign-in with college accounts: the issuer's claims, and matching accounts on this site."""
