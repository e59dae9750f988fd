"""Cards, their decks, and the effects of playing a card, as data."""
