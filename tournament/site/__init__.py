"""The site's infrastructure: middleware, caches, static files, message catalogues and logs."""
