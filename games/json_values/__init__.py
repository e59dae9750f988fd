"""Typed values of live play's JSON columns, which are read and written only here."""
