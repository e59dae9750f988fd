"""What is likely to come: how long a day lasts and who still goes through, by simulated matches."""
