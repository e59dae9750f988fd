"""Sentences by kind: of rulings and of steps that wait, and the actions that have none."""
