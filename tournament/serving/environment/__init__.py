"""Settings from environment variables: valid values, defaults and error reports."""
