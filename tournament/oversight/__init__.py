"""Nobody alone, nobody unseen: rights, the log, the public history, the second person."""
