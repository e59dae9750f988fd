"""allauth's OpenID Connect provider, limited to one issuer and the required claims."""

from collections.abc import Mapping
from typing import Any

from allauth.account.models import EmailAddress
from allauth.socialaccount.adapter import get_adapter
from allauth.socialaccount.models import SocialLogin
from allauth.socialaccount.providers.oauth2.client import OAuth2Error
from allauth.socialaccount.providers.openid_connect.provider import OpenIDConnectProvider
from allauth.socialaccount.providers.openid_connect.views import OpenIDConnectOAuth2Adapter
from allauth.utils import build_absolute_uri
from django.conf import settings
from django.core.cache import cache
from django.http import HttpRequest
from django.urls import reverse

from tournament.people.accounts.allauth_private import fetch_userinfo
from tournament.people.accounts.college.adapter import list_verified_emails
from tournament.people.accounts.college.claims import (
    Claims,
    choose_display_name,
    has_trusted_factor,
    is_address_confirmed,
)

# The claims, keyed by `id_token` and `userinfo`. Claims that were not requested have no key.
Answer = Mapping[str, Claims]
# Seconds for which the issuer's configuration document is cached.
CACHE_SECONDS = 600


def merge_claims(data: Answer) -> Claims:
    """Merge the claims of the ID token and of userinfo. The ID token takes precedence.

    Raises OAuth2Error if they are about different people.
    """
    token, userinfo_claims = data.get("id_token") or {}, {**(data.get("userinfo") or {})}
    if "sub" not in token or userinfo_claims.get("sub", token["sub"]) != token["sub"]:
        raise OAuth2Error("ID token and userinfo are not of one person")
    if token.get("email", userinfo_claims.get("email")) != userinfo_claims.get("email"):
        # `email_verified` in userinfo applies to a different address.
        userinfo_claims.pop("email_verified", None)
    return {**userinfo_claims, **token}


class CollegeProvider(OpenIDConnectProvider):  # type: ignore[misc]
    def get_oauth2_adapter(self, request: HttpRequest) -> "IssuerAdapter":
        return IssuerAdapter(request, self.app.provider_id)

    def sociallogin_from_response(self, request: HttpRequest, data: Answer) -> SocialLogin:
        """Return allauth's login with two more attributes.

        * `id_token`: the claims of the ID token.
        * `factor`: whether the issuer has checked a second factor.
        """
        login = super().sociallogin_from_response(request, data)
        login.id_token = data.get("id_token") or {}
        login.factor = has_trusted_factor(login.id_token, settings.OIDC_SECOND_FACTOR)
        return login

    def extract_uid(self, data: Answer) -> str:
        return str(merge_claims(data)["sub"])

    def extract_extra_data(self, data: Answer) -> dict[str, object]:
        """Return no extra data, because only the account's id at the issuer is stored."""
        return {}

    def extract_common_fields(self, data: Answer) -> dict[str, object]:
        claims = merge_claims(data)
        return {"email": claims.get("email"), "name": choose_display_name(claims)}

    def extract_email_addresses(self, data: Answer) -> list[EmailAddress]:
        claims = merge_claims(data)
        if not claims.get("email"):
            return []
        verified = is_address_confirmed(claims, settings.OIDC_PROVED_DOMAINS)
        address = str(claims["email"]).lower()
        return [EmailAddress(email=address, verified=verified, primary=True)]


class IssuerAdapter(OpenIDConnectOAuth2Adapter):  # type: ignore[misc]
    def get_provider(self) -> CollegeProvider:
        return get_college_provider(self.request)

    @property
    def openid_config(self) -> Claims:
        """The issuer's configuration document, cached.

        Raises OAuth2Error if the document names another issuer.
        """
        issuer = self.get_provider().app.settings["server_url"]
        key = f"issuer:{issuer}"
        config: Claims | None = cache.get(key)
        if config is None:
            config = super().openid_config
            if str(config.get("issuer")).rstrip("/") != issuer:
                raise OAuth2Error(f"the issuer calls itself {config.get('issuer')}")
            cache.set(key, config, CACHE_SECONDS)
        return config

    def complete_login(self, request: HttpRequest, app: Any, token: Any, **kwargs: Any) -> Any:
        """Complete the sign-in with the claims of the ID token.

        Userinfo is requested only if these claims do not confirm an address.
        """
        login = super().complete_login(request, app, token, **kwargs)
        if list_verified_emails(login):
            return login
        answer = {"id_token": login.id_token, "userinfo": fetch_userinfo(self, token.token)}
        return self.get_provider().sociallogin_from_response(request, answer)

    def get_callback_url(self, request: HttpRequest, app: Any) -> str:
        return str(build_absolute_uri(request, reverse("college-callback")))


def get_college_provider(request: HttpRequest) -> CollegeProvider:
    """Return the provider of college accounts.

    Raises SocialApp.DoesNotExist if no issuer is configured.
    """
    return CollegeProvider(request, app=get_adapter().get_app(request, "college"))
