"""A hand in play: its state, the effects of cards, and the reasons for refusals."""
