"""Second factors for tests: an authenticator app (RFC 6238) and a passkey kept in memory."""

import base64
import hashlib
import hmac
import json
import secrets
import struct
import time
from collections.abc import Iterator

import pytest
import time_machine
from allauth.mfa.models import Authenticator
from allauth.mfa.recovery_codes.internal.auth import RecoveryCodes
from allauth.mfa.totp.internal.auth import TOTP, generate_totp_secret
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from django.test import Client
from django.urls import reverse
from fido2.cose import ES256
from fido2.utils import websafe_encode
from fido2.webauthn import (
    Aaguid,
    AttestationObject,
    AttestedCredentialData,
    AuthenticatorData,
    CollectedClientData,
)

from tests.typed import Response
from tournament.models import User

PERIOD_SECONDS = 30


def compute_app_code(secret: str, now: float | None = None) -> str:
    """Return the code that the app shows at the time `now`. The default is the current time."""
    counter = int(time.time() if now is None else now) // PERIOD_SECONDS
    key = base64.b32decode(secret)
    digest = hmac.new(key, struct.pack(">Q", counter), hashlib.sha1).digest()
    start = digest[-1] & 15
    number = struct.unpack(">I", digest[start : start + 4])[0] & 0x7FFFFFFF
    return f"{number % 10**6:06}"


def give_app(user: User) -> str:
    """Set up an authenticator app for the account and return the app's secret."""
    secret: str = generate_totp_secret()
    TOTP.activate(user, secret)
    return secret


def give_codes(user: User) -> list[str]:
    """Create recovery codes for the account and return them."""
    codes: list[str] = RecoveryCodes.activate(user).generate_codes()
    return codes


def list_factors(user: User) -> set[str]:
    return set(Authenticator.objects.filter(user=user).values_list("type", flat=True))


def submit_factor_code(client: Client, code: str) -> Response:
    """Submit the code on the second-factor page during sign-in."""
    return client.post(reverse("mfa_authenticate"), {"code": code})


class Passkey:
    """A passkey for the site at `origin`. It signs the challenges in a client's session."""

    def __init__(self, origin: str = "https://testserver") -> None:
        self.origin = origin
        self.key = ec.generate_private_key(ec.SECP256R1())
        self.id = secrets.token_bytes(16)
        self.uses = 0

    def add(self, client: Client, name: str = "Phone") -> Response:
        """Register this passkey on the account's passkey page."""
        page = reverse("mfa_add_webauthn")
        client.get(page)
        data = {
            "name": name,
            "credential": json.dumps(self.make_attestation(get_challenge(client))),
        }
        return client.post(page, data)

    def use(self, client: Client, page: str = "mfa_authenticate") -> Response:
        """Use this passkey on a page that asks for a second factor."""
        client.get(reverse(page))
        answer = json.dumps(self.make_assertion(get_challenge(client)))
        return client.post(reverse(page), {"credential": answer})

    def make_attestation(self, challenge: str) -> dict[str, object]:
        """Return a browser's response to `navigator.credentials.create`."""
        public = ES256.from_cryptography_key(self.key.public_key())  # type: ignore[no-untyped-call]
        attested = AttestedCredentialData.create(Aaguid.NONE, self.id, public)
        found = AttestationObject.create("none", self._make_authenticator_data(attested), {})
        client_data = self._make_client_data(CollectedClientData.TYPE.CREATE, challenge)
        return self._format_response(attestationObject=found, clientDataJSON=client_data)

    def make_assertion(self, challenge: str) -> dict[str, object]:
        """Return a browser's response to `navigator.credentials.get`."""
        data = self._make_authenticator_data()
        client_data = self._make_client_data(CollectedClientData.TYPE.GET, challenge)
        signature = self.key.sign(data + client_data.hash, ec.ECDSA(hashes.SHA256()))
        return self._format_response(
            authenticatorData=data, clientDataJSON=client_data, signature=signature
        )

    def _make_authenticator_data(
        self, attested: AttestedCredentialData | None = None
    ) -> AuthenticatorData:
        self.uses += 1
        flags = AuthenticatorData.FLAG.UP | AuthenticatorData.FLAG.UV
        flags |= AuthenticatorData.FLAG.AT if attested else 0
        host = self.origin.partition("://")[2].partition(":")[0]
        rp = hashlib.sha256(host.encode()).digest()
        made: AuthenticatorData = AuthenticatorData.create(rp, flags, self.uses, attested or b"")
        return made

    def _make_client_data(self, kind: str, challenge: str) -> CollectedClientData:
        return CollectedClientData.create(kind, challenge, self.origin)

    def _format_response(self, **response: bytes) -> dict[str, object]:
        number = websafe_encode(self.id)
        found = {key: websafe_encode(value) for key, value in response.items()}
        return {
            "id": number,
            "rawId": number,
            "type": "public-key",
            "response": found,
            "clientExtensionResults": {},
        }


def get_challenge(client: Client) -> str:
    """Return the challenge that the passkey is asked to sign."""
    return str(client.session["mfa.webauthn.state"]["challenge"])


@pytest.fixture
def authenticator_clock() -> Iterator[time_machine.Traveller]:
    """Freeze time at the start of a 30-second period of the authenticator app.

    Time moves only when a test moves it.
    """
    now = time.time()
    with time_machine.travel(now - now % PERIOD_SECONDS, tick=False) as traveller:
        yield traveller
