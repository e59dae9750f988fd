"""Liveness of processes: heartbeat, players of dead processes, lost time restored."""
