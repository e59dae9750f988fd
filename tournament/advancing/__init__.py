"""From the first round to the winner: who goes through, is replaced, plays off, has won."""
