"""The list of those who may take part: uploaded, looked at row by row, applied, changed by hand."""
