"""Organizers' desk: the state of an event, its control room, and pending decisions."""
