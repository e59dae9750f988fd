"""Decks, their cards and the effects of cards, as data."""
