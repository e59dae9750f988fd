"""Which processes are alive: heartbeat, players of dead ones, lost time and its return."""
