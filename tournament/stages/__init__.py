"""What an event is made of and who would go on from it: the cut, brackets, places, winners."""
