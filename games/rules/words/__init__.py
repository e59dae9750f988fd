"""What people read about rules and hands."""
