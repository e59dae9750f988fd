"""One match moves on: actions committed, hands dealt and counted, deadlines, lost time."""
