"""Tests of the host names and addresses of a site on a single machine."""

import socket

import pytest

from tournament.demo import addresses

LOCAL_HOSTS = ["127.0.0.1", "[::1]", "localhost"]
LAN_ADDRESS = "192.168.1.20"


@pytest.fixture(autouse=True)
def laptop(monkeypatch: pytest.MonkeyPatch) -> None:
    """Simulate a laptop that is connected to a network."""
    monkeypatch.setattr(socket, "gethostname", lambda: "Odile-Laptop")
    entries = [
        (socket.AF_INET, 0, 0, "", ("127.0.1.1", 0)),
        (socket.AF_INET6, 0, 0, "", ("fd00::7", 0)),
    ]
    monkeypatch.setattr(socket, "getaddrinfo", lambda name, port: entries)
    monkeypatch.setattr(addresses, "find_own_address", lambda: LAN_ADDRESS)


@pytest.mark.parametrize("bound", ["127.0.0.1", "localhost", "[::1]"])
def test_loopback_server_has_only_local_names(bound: str) -> None:
    assert addresses.list_allowed_hosts(bound, []) == LOCAL_HOSTS


@pytest.mark.parametrize("bound", ["0.0.0.0", "::"])
def test_server_on_all_interfaces_accepts_its_own_names_only(bound: str) -> None:
    own = {LAN_ADDRESS, "127.0.1.1", "[fd00::7]", "odile-laptop", "odile-laptop.local"}
    assert set(addresses.list_allowed_hosts(bound, [])) == {*LOCAL_HOSTS, *own}


def test_server_bound_to_one_address_accepts_that_address() -> None:
    assert addresses.list_allowed_hosts(LAN_ADDRESS, []) == sorted([*LOCAL_HOSTS, LAN_ADDRESS])
    assert "[fd00::9]" in addresses.list_allowed_hosts("fd00::9", [])


def test_configured_host_names_are_accepted() -> None:
    assert "cards.example.edu" in addresses.list_allowed_hosts("127.0.0.1", ["cards.example.edu"])


def test_machine_without_a_host_name_uses_its_address(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def raise_unknown_host(name: str, port: None) -> None:
        raise OSError("Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", raise_unknown_host)
    assert addresses.list_own_names() == {LAN_ADDRESS, "odile-laptop", "odile-laptop.local"}


def test_demo_explains_by_default_how_phones_can_connect() -> None:
    assert addresses.address_lines("127.0.0.1", 8000) == [
        "  On this machine   http://localhost:8000/",
        "  Only this machine can reach it. To let phones in this network in, run",
        "  HOST=0.0.0.0 make run.",
    ]


@pytest.mark.parametrize("bound", ["0.0.0.0", LAN_ADDRESS])
def test_networked_demo_prints_its_address_and_a_warning(bound: str) -> None:
    message = "\n".join(addresses.address_lines(bound, 8000))
    assert f"In this network   http://{LAN_ADDRESS}:8000/" in message
    assert "plain HTTP: anyone on the same network (Wi-Fi) can read passwords and act as" in message


def test_network_line_is_omitted_without_a_network(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(addresses, "find_own_address", lambda: "")
    assert "In this network" not in "\n".join(addresses.address_lines("0.0.0.0", 8000))
