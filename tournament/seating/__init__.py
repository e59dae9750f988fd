"""Who sits where: seats are drawn, explained, changed by hand, published and printed."""
