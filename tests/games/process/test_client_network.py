"""Tests of the addresses that count as one client for rate limits."""

import pytest

from games.process.client_network import counting_network
from games.sockets.entrance.anonymous_limits import address_of


@pytest.mark.parametrize(
    ("address", "expected"),
    [
        ("203.0.113.9", "203.0.113.9"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::"),
        ("2001:db8:1:2::", "2001:db8:1:2::"),
        ("fe80::1%eth0", "fe80::"),
        ("::ffff:203.0.113.9", "203.0.113.9"),
        ("", ""),
        ("unix:", "unix:"),
    ],
)
def test_ipv4_counts_per_address_and_ipv6_per_network(address: str, expected: str) -> None:
    assert counting_network(address) == expected


def test_socket_address_matches_the_client_address() -> None:
    assert address_of({"client": ("2001:db8::7", 40_000)}) == "2001:db8::"
    assert address_of({"client": None}) == address_of({}) == ""
