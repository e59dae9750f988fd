"""Identity provider of a college, run by oidc-provider-mock in a separate process.

Any name signs in, without a password. `add_user` sets the claims for a name.
"""

import sys
from typing import Any

import requests

from tests.services import Service, accepts_connections, find_free_port
from tournament.settings import issuer_settings, origin


class Issuer(Service):
    """Identity provider whose tokens are valid for `lifetime` seconds."""

    def __init__(self, lifetime: int = 3600) -> None:
        super().__init__()
        self.port = find_free_port()
        self.lifetime = lifetime
        self.url = f"http://127.0.0.1:{self.port}"

    def command(self) -> list[str]:
        program = [sys.executable, "-W", "ignore", "-m", "oidc_provider_mock"]
        return [*program, "--port", str(self.port), "--token-max-age", str(self.lifetime)]

    def ready(self) -> bool:
        return accepts_connections(("127.0.0.1", self.port))

    def add_user(self, sub: str, **claims: Any) -> None:
        answer = requests.put(f"{self.url}/users/{sub}", json=claims, timeout=10)
        answer.raise_for_status()


def use_issuer(settings: Any, issuer: Issuer) -> None:
    """Configure a site's settings to use this issuer."""
    settings.SOCIALACCOUNT_PROVIDERS = issuer_settings(issuer.url, "lastcard", "secret")
    directives = settings.CONTENT_SECURITY_POLICY["DIRECTIVES"]
    allowed = [*directives["form-action"], *origin(issuer.url)]
    settings.CONTENT_SECURITY_POLICY = {"DIRECTIVES": {**directives, "form-action": allowed}}
