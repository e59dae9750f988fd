"""Tables of one's own with bots, for guests too, and the coach that explains them."""
