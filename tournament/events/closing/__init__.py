"""After the winner is known: what is open still, the lock, certificates, the event in figures."""
