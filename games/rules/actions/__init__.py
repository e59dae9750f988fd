"""Actions and knowledge of a seat, and the notation of both."""
