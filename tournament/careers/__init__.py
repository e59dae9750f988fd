"""Players across events: ratings, and the public pages that players choose to have."""
