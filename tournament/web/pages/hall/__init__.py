"""Public pages for hall screens, people and pictures."""
