"""How the site is: what its processes counted in the last hour, in words and curves."""
