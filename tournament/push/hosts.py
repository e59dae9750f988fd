"""Push services that the site may contact: those of browser makers and those in the settings.

Clients send the URLs of their subscriptions, so each URL is checked.
"""

import ipaddress
import re
import socket
from urllib.parse import SplitResult, urlsplit

from django.conf import settings

# The push services of Chrome and other Chromium browsers, Firefox, Safari and Edge.
KNOWN_HOSTS = ("fcm.googleapis.com",)
KNOWN_DOMAINS = (".push.services.mozilla.com", ".push.apple.com", ".notify.windows.com")
PORT = 443
HOST = re.compile(r"[a-z\d_-]{1,63}(\.[a-z\d_-]{1,63}){0,10}", re.ASCII)
MAX_URL_LENGTH = 1000


class EndpointError(ValueError):
    """Raised for a URL that does not belong to an allowed push service."""


def check_endpoint(endpoint: str) -> SplitResult:
    """Parse a device's URL at its push service.

    Raises EndpointError unless it is an https URL of an allowed push service.
    """
    if len(endpoint) > MAX_URL_LENGTH or not endpoint.isascii() or not endpoint.isprintable():
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
    if not (
        is_in_settings(parts.hostname, port) or (port == PORT and _is_known_host(parts.hostname))
    ):
        raise EndpointError("host")
    return parts


def is_in_settings(host: str, port: int) -> bool:
    """Return whether the settings allow this push service."""
    accepted = {host, f"{host}:{port}"} if port == PORT else {f"{host}:{port}"}
    return bool(accepted & {each.lower() for each in settings.PUSH_SERVICES})


def _is_known_host(host: str) -> bool:
    return host in KNOWN_HOSTS or host.endswith(KNOWN_DOMAINS)


def find_address(host: str, port: int) -> str:
    """Return an IP address of the host.

    Unless the settings name the host, the address must be public, so that no host name can lead
    into the site's own network. Raises OSError if the host has no such address.
    """
    entries = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    addresses = [str(each[4][0]) for each in entries]
    if not is_in_settings(host, port):
        addresses = [each for each in addresses if _is_public_address(each)]
    if not addresses:
        raise OSError("no public address")
    return addresses[0]


def _is_public_address(address: str) -> bool:
    ip = ipaddress.ip_address(address.partition("%")[0])
    ip = getattr(ip, "ipv4_mapped", None) or ip
    return bool(ip.is_global and not ip.is_multicast)
