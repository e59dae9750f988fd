"""From the first round to the winner: who advances, replacements, play-offs, the winner."""
