"""What every process runs beside its pages: the ticker and the sweep."""
