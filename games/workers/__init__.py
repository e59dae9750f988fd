"""Background work of every process: the ticker and the sweep."""
