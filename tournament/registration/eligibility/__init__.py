"""The eligibility list: uploaded, reviewed row by row, applied, and edited by hand."""
