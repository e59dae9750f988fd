"""Key with which this site acknowledges players' messages for a deal.

The key is derived from `SECRET_KEY`. Therefore all processes have the same key, and neither the
database nor a backup contains its secret half. The curve is P-256, because every cryptography
library can verify its signatures.
"""

from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import decode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.kdf.hkdf import HKDF
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from django.conf import settings

from games.process import here, process_cache
from games.process.components import Component
from games.rules.fair.deal import DealKey
from games.rules.fair.receipts import list_receipt_text
from games.rules.fair.signatures import DeviceSignature, N

LABEL = b"lastcard site key 1"
# 16 bytes more than the curve's order has, so that all keys are practically equally likely.
DERIVED_BYTES = 48
# Receipts of lists are cached, because the same list is shown many times.
MAX_CACHED_RECEIPTS = 2000


class SiteKey(Component):
    """The site's key pair. It is the same in all processes of the site."""

    def __init__(self) -> None:
        self._secret = ec.derive_private_key(
            _derive_secret_number(settings.SECRET_KEY), ec.SECP256R1()
        )
        public, form = self._secret.public_key(), PublicFormat.UncompressedPoint
        self.public = public.public_bytes(Encoding.X962, form).hex()

    def sign(self, text: bytes) -> DeviceSignature:
        """Sign the text with this key. The same text always has the same signature."""
        signature = self._secret.sign(text, ec.ECDSA(SHA256(), deterministic_signing=True))
        r, s = decode_dss_signature(signature)
        return DeviceSignature(self.public, (r.to_bytes(32, "big") + s.to_bytes(32, "big")).hex())


def _derive_secret_number(secret: str | bytes) -> int:
    """Derive the secret half of the key, a number from 1 to one less than the curve's order."""
    raw = secret if isinstance(secret, bytes) else secret.encode()
    derived = HKDF(SHA256(), DERIVED_BYTES, salt=None, info=LABEL).derive(raw)
    return int.from_bytes(derived, "big") % (N - 1) + 1


def site_key() -> str:
    """Return the public half of the site's key, in hex."""
    return here().part(SiteKey).public


def sign_receipt(text: bytes) -> DeviceSignature:
    """Sign the text, as proof that this site has acknowledged it."""
    return here().part(SiteKey).sign(text)


@process_cache(MAX_CACHED_RECEIPTS)
def list_receipt(draw: DealKey, digest: str) -> DeviceSignature:
    """Return the site's receipt for a closed list."""
    return sign_receipt(list_receipt_text(draw, digest))
