"""Progress of a match: committed actions, dealt and scored hands, deadlines, lost time."""
