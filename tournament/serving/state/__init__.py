"""Site status: the counts of all processes in the last hour, in words and curves."""
