"""Letters to people: written with what they tell of, kept until sent, what became of them."""
