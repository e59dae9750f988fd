"""The site around its pages: middleware, caches, static files, scripts' words, log, address."""
