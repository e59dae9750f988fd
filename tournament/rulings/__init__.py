"""What organizers decide about one player, what it leads to, and taking it back."""
