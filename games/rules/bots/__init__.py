"""Players by themselves, and what they think a hand is worth."""
