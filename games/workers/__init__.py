"""Background work of every process, including the ticker and the sweep."""
