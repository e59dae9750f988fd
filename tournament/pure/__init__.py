"""Pure parts of events: values in, values out, without Django or a database."""
