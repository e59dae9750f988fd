"""Tests of sockets by long polling."""
