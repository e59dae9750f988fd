"""Settings from environment variables: valid values, defaults, and reports of errors."""
