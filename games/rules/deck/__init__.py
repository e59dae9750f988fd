"""Cards, the decks that are made of them, and what playing a card does, as data."""
