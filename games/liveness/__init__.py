"""Liveness of processes: heartbeats, players of dead processes, and restoring lost time."""
