"""The demo that `make run` serves: invented students, three events, and players who really play."""
