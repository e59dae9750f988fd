"""Practice tables with bots, also for guests, and the coach that explains them."""
