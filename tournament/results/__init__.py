"""What tables have come to: matches played, points entered, and what changes them."""
