"""The eligibility list: upload, review row by row, application, and manual edits."""
