"""The pages of the site and their forms, including live updates."""
