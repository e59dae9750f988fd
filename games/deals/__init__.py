"""Players' part in a deal and its verification: shares, readiness, fairness page."""
