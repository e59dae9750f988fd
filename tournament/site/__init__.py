"""The site's infrastructure: middleware, caches, static files, script texts, log, address."""
