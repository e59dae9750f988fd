"""Players' part in a deal and its verification: shares, readiness, the page of proof."""
