"""Host names and addresses of a site on a single machine.

Requests with other host names are refused, because the name is used in emails and links.
"""

import socket
from collections.abc import Collection

LOCAL = ("localhost", "127.0.0.1", "[::1]")
ALL_INTERFACES = ("0.0.0.0", "::")  # noqa: S104 - compared, not bound


def list_allowed_hosts(bound: str, chosen: Collection[str]) -> list[str]:
    """Return the value of `ALLOWED_HOSTS` for a site bound to this address.

    It contains the `chosen` hosts and the machine's own names.
    """
    own = list_own_names() if bound in ALL_INTERFACES else {bound}
    return sorted({*LOCAL, *chosen, *(_format_host(name) for name in own if name)})


def list_own_names() -> set[str]:
    """Return this machine's known names and network addresses."""
    name = socket.gethostname()
    try:
        addresses = {str(entry[4][0]) for entry in socket.getaddrinfo(name, None)}
    except OSError:
        addresses = set()
    return {name.lower(), f"{name.lower()}.local", find_own_address(), *addresses}


def find_own_address() -> str:
    """Return this machine's network address, or "" if it has none.

    Connecting a UDP socket selects the address without sending data.
    """
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as probe:
        try:
            probe.connect(("192.0.2.1", 9))
        except OSError:
            return ""
        return str(probe.getsockname()[0])


def address_lines(bound: str, port: int) -> list[str]:
    """Return lines with the site's URLs, and a warning if other machines can reach it."""
    local_line = f"  On this machine   http://localhost:{port}/"
    if bound in LOCAL:
        return [
            local_line,
            "  Only this machine can reach it. To let phones in this network in, run",
            "  HOST=0.0.0.0 make run.",
        ]
    address = find_own_address() if bound in ALL_INTERFACES else bound
    return [
        local_line,
        *([f"  In this network   http://{_format_host(address)}:{port}/"] if address else []),
        "",
        "  This is plain HTTP: anyone on the same network (Wi-Fi) can read passwords and act as",
        "  the users who sign in. Use it only among friends. docs/deploy.md explains how to set",
        "  up TLS.",
    ]


def _format_host(name: str) -> str:
    """Format a host name or address for use in a URL."""
    return f"[{name}]" if ":" in name and not name.startswith("[") else name
