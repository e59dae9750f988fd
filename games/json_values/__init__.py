"""Typed values of live play's JSON columns, read and written nowhere else."""
