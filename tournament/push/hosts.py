"""Push services that the site sends to: those of browsers' makers, and those in the settings.

A subscription's address comes from a client, so it must not lead anywhere else.
"""

import ipaddress
import re
import socket
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

# Chrome and others on Chromium; Firefox; Safari; Edge.
KNOWN = ("fcm.googleapis.com",)
KNOWN_BELOW = (".push.services.mozilla.com", ".push.apple.com", ".notify.windows.com")
PORT = 443
HOST = re.compile(r"[a-z\d_-]{1,63}(\.[a-z\d_-]{1,63}){0,10}", re.ASCII)
LONGEST = 1000


class EndpointError(ValueError):
    """Error for an address that is not one of a known push service."""


def check_endpoint(endpoint: str) -> SplitResult:
    """Return the parts of a device's address.

    Raises EndpointError unless it is an https address of a known push service.
    """
    if len(endpoint) > LONGEST or not endpoint.isascii() or not endpoint.isprintable():
        raise EndpointError("address")
    try:
        parts = urlsplit(endpoint)
        port = parts.port or PORT
    except ValueError as error:
        raise EndpointError("address") from error
    if parts.scheme != "https" or "@" in parts.netloc or not parts.hostname or " " in endpoint:
        raise EndpointError("address")
    if not HOST.fullmatch(parts.hostname):
        raise EndpointError("host")
    if not (is_in_settings(parts.hostname, port) or (port == PORT and _is_known(parts.hostname))):
        raise EndpointError("host")
    return parts


def is_in_settings(host: str, port: int) -> bool:
    """Return whether the operator has named this push service."""
    named = {host, f"{host}:{port}"} if port == PORT else {f"{host}:{port}"}
    return bool(named & {each.lower() for each in settings.PUSH_SERVICES})


def _is_known(host: str) -> bool:
    return host in KNOWN or host.endswith(KNOWN_BELOW)


def find_address(host: str, port: int) -> str:
    """Return an IP address of the host.

    It is a public one, unless the operator has named the host: a known name must not lead
    into the site's own network.

    Raises OSError if there is none.
    """
    found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [str(each[4][0]) for each in found]
    if not is_in_settings(host, port):
        addresses = [each for each in addresses if _is_public(each)]
    if not addresses:
        raise OSError("no public address")
    return addresses[0]


def _is_public(address: str) -> bool:
    found = ipaddress.ip_address(address.partition("%")[0])
    mapped = getattr(found, "ipv4_mapped", None) or found
    return bool(mapped.is_global and not mapped.is_multicast)
