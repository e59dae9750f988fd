"""Actions and knowledge of a seat, and the form in which both are written."""
