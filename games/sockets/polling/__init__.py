"""Sockets by long polling, for networks that block WebSockets."""
