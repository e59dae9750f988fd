"""Site status: figures of all processes in the last hour, as sentences and curves."""
