"""What was a mistake is put right: done, looked at, and kept or rolled back."""
