"""POST requests to push services, over TLS, without redirects and with a short timeout."""

import http.client
import socket
import ssl
from email.utils import parsedate_to_datetime
from typing import NamedTuple

from django.utils import timezone

from tournament.push.hosts import PORT, check_endpoint, find_address

# Applies to each step of a request. A slow service must not block a thread for long.
TIMEOUT_SECONDS = 5.0
# Longer answers are truncated.
MAX_ANSWER_BYTES = 4096


class ServiceAnswer(NamedTuple):
    """A push service's status code, and the seconds to wait before the next request."""

    status: int
    retry_after: float | None


class _PinnedConnection(http.client.HTTPSConnection):
    """A connection to an IP address that has already been checked.

    It avoids another DNS lookup, which could return a different address.
    """

    def __init__(self, host: str, port: int, address: str) -> None:
        self._context = ssl.create_default_context()
        super().__init__(host, port, timeout=TIMEOUT_SECONDS, context=self._context)
        self._address = address

    def connect(self) -> None:
        raw = socket.create_connection((self._address, self.port), self.timeout)
        try:
            self.sock = self._context.wrap_socket(raw, server_hostname=self.host)
        except BaseException:
            raw.close()
            raise


def post(endpoint: str, headers: dict[str, str], body: bytes) -> ServiceAnswer:
    """Send a request, and return the push service's answer.

    Raises OSError if the service cannot be reached or does not answer, and EndpointError if the
    URL is not allowed.
    """
    parts = check_endpoint(endpoint)
    assert parts.hostname is not None
    port = parts.port or PORT
    address = find_address(parts.hostname, port)
    connection = _PinnedConnection(parts.hostname, port, address)
    path = parts.path + (f"?{parts.query}" if parts.query else "")
    try:
        connection.request("POST", path or "/", body, headers)
        answer = connection.getresponse()
        answer.read(MAX_ANSWER_BYTES)
        return ServiceAnswer(
            answer.status, _parse_retry_after(answer.headers.get("Retry-After", ""))
        )
    except http.client.HTTPException as error:
        raise ConnectionError(type(error).__name__) from error
    finally:
        connection.close()


def _parse_retry_after(text: str) -> float | None:
    """Parse a Retry-After header, which is a number or a date, to seconds from now.

    Returns None if it is missing or malformed.
    """
    if text.strip().isdecimal():
        return float(text)
    try:
        return max(0.0, (parsedate_to_datetime(text) - timezone.now()).total_seconds())
    except (ValueError, TypeError):
        return None
