"""Organizers' decisions about one player, their consequences, and undoing them."""
