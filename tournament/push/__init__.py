"""Push messages that call players to their table while its page is closed."""
