"""The organizers' desk: where an event stands, its control room, and what waits for somebody."""
