"""What players give to a deal and how it is checked: shares, readiness, the page of proof."""
