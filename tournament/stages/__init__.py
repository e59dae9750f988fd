"""The stages of an event and their outcome: cuts, brackets, places and winners."""
