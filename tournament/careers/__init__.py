"""Players over several events: their public pages, by their own choice, and ratings."""
