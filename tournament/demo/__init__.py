"""The demo that `make run` serves: invented students, their events, and players who really play."""
