"""Organizers' desk: state of an event, its control room, and pending decisions."""
