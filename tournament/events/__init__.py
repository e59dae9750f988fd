"""What is played, when and by which format: making, copying, closing; an event's public pages."""
