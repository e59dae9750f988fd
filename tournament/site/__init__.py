"""The site around its pages: middleware, caches, static files, scripts' texts, log, address."""
