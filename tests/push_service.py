"""Local push service with TLS, and fake devices that decrypt its messages."""

import json
import ssl
import threading
import time
from base64 import urlsafe_b64decode, urlsafe_b64encode
from datetime import UTC, datetime, timedelta
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_address
from pathlib import Path
from typing import Any, NamedTuple

import jwt
from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from cryptography.x509.oid import NameOID

CURVE = ec.SECP256R1()


def encode_base64url(value: bytes) -> str:
    return urlsafe_b64encode(value).rstrip(b"=").decode()


def decode_base64url(text: str) -> bytes:
    return urlsafe_b64decode(text + "=" * (-len(text) % 4))


class PushReply(NamedTuple):
    """The service's reply to a request, sent after `seconds` seconds."""

    status: int = 201
    headers: tuple[tuple[str, str], ...] = ()
    seconds: float = 0.0


class PushedRequest(NamedTuple):
    """A request that the service received."""

    path: str
    headers: dict[str, str]
    body: bytes

    def check_signature(self, origin: str) -> dict[str, Any]:
        """Check the VAPID signature (RFC 8292) for this service and return its claims."""
        scheme, _space, rest = self.headers["authorization"].partition(" ")
        assert scheme == "vapid"
        parts = dict(part.strip().split("=", 1) for part in rest.split(","))
        key = ec.EllipticCurvePublicKey.from_encoded_point(CURVE, decode_base64url(parts["k"]))
        claims: dict[str, Any] = jwt.decode(parts["t"], key, algorithms=["ES256"], audience=origin)
        assert 0 < claims["exp"] - time.time() <= 24 * 3600
        return claims


class FakeDevice:
    """A browser's subscription, which can decrypt its own messages."""

    def __init__(self, endpoint: str) -> None:
        self.endpoint = endpoint
        self._key = ec.generate_private_key(CURVE)
        self._secret = bytes(range(16))

    @property
    def _public_key(self) -> bytes:
        return self._key.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)

    def to_json(self) -> dict[str, Any]:
        """Return the subscription in the format of `PushSubscription.toJSON` in browsers."""
        keys = {
            "p256dh": encode_base64url(self._public_key),
            "auth": encode_base64url(self._secret),
        }
        return {"endpoint": self.endpoint, "expirationTime": None, "keys": keys}

    def read(self, body: bytes) -> dict[str, Any]:
        """Decrypt a message as a receiver does (RFC 8188, RFC 8291)."""
        salt, size, length = body[:16], int.from_bytes(body[16:20], "big"), body[20]
        sender, record = body[21 : 21 + length], body[21 + length :]
        assert len(record) <= size
        shared = self._key.exchange(
            ec.ECDH(), ec.EllipticCurvePublicKey.from_encoded_point(CURVE, sender)
        )
        info = b"WebPush: info\0" + self._public_key + sender
        ikm = HKDF(hashes.SHA256(), 32, self._secret, info).derive(shared)
        key = HKDF(hashes.SHA256(), 16, salt, b"Content-Encoding: aes128gcm\0").derive(ikm)
        nonce = HKDF(hashes.SHA256(), 12, salt, b"Content-Encoding: nonce\0").derive(ikm)
        text = AESGCM(key).decrypt(nonce, record, None).rstrip(b"\0")
        assert text[-1:] == b"\x02"
        found: dict[str, Any] = json.loads(text[:-1])
        return found


def write_certificate(folder: Path) -> Path:
    """Write a certificate for localhost, with its key, to a file and return its path."""
    key = ec.generate_private_key(CURVE)
    name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "localhost")])
    now = datetime.now(UTC)
    builder = x509.CertificateBuilder(name, name, key.public_key(), x509.random_serial_number())
    builder = builder.not_valid_before(now - timedelta(days=1))
    builder = builder.not_valid_after(now + timedelta(days=1))
    names = x509.SubjectAlternativeName(
        [x509.DNSName("localhost"), x509.IPAddress(ip_address("127.0.0.1"))]
    )
    made = builder.add_extension(names, critical=False).sign(key, hashes.SHA256())
    path = folder / "push.pem"
    path.write_bytes(
        key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        + made.public_bytes(Encoding.PEM)
    )
    return path


class PushService:
    """Push service that records requests and sends `replies` in turn, then the status 201."""

    def __init__(self, folder: Path) -> None:
        self.requests: list[PushedRequest] = []
        self.replies: list[PushReply] = []
        self.most_at_once = 0
        self._running = 0
        self._lock = threading.Lock()
        self.certificate = write_certificate(folder)
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._make_handler())
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate)
        # The handshake runs in the request's thread, so that a silent client does not block others.
        self._server.socket = context.wrap_socket(
            self._server.socket, server_side=True, do_handshake_on_connect=False
        )
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))
        self._thread.start()

    @property
    def host(self) -> str:
        return f"localhost:{self._server.server_port}"

    @property
    def origin(self) -> str:
        return f"https://{self.host}"

    def make_device(self, name: str = "1") -> FakeDevice:
        return FakeDevice(f"{self.origin}/push/{name}?v=2")

    def stop(self) -> None:
        """Stop the server, so that the port refuses connections."""
        if self._thread.is_alive():
            self._server.shutdown()
            self._server.server_close()
            self._thread.join()

    def _answer(self, request: PushedRequest) -> PushReply:
        with self._lock:
            self.requests.append(request)
            self._running += 1
            self.most_at_once = max(self.most_at_once, self._running)
            reply = self.replies.pop(0) if self.replies else PushReply()
        time.sleep(reply.seconds)
        with self._lock:
            self._running -= 1
        return reply

    def _make_handler(self) -> type[BaseHTTPRequestHandler]:
        service = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                reply = service._answer(PushedRequest(self.path, headers, body))
                self.send_response(reply.status)
                for name, value in (*reply.headers, ("Content-Length", "0")):
                    self.send_header(name, value)
                self.end_headers()

            def log_message(self, *_arguments: object) -> None:
                pass

        return Handler
