"""Types of environment variables. Each parses a text, or raises ValueError with a hint."""

import difflib
import ipaddress
import re
from email.utils import parseaddr
from pathlib import Path
from typing import Annotated, Any, NamedTuple
from urllib.parse import urlsplit

from pydantic import BeforeValidator

from tournament.pure.push_keys import decode_private_key
from tournament.pure.zones import canonical_zone, zone_names

ESCAPED = "in a password, write / # ? @ % as %2F %23 %3F %40 %25"
# Microsoft Entra's tokens identify the tenant by its ID. With another name in the URL, the issuer
# would not match.
ENTRA = "login.microsoftonline.com"


class KindLabel(NamedTuple):
    """The name of a type in docs/settings.md."""

    kind: str


class Confidential(NamedTuple):
    """Marker for values that contain a secret. Error messages do not show them."""

    shown: bool = False


def parse_flag(text: Any) -> Any:
    """Parse 1, true, yes or on as true, and 0, false, no or off as false."""
    value = str(text).strip().lower()
    if value in ("1", "true", "yes", "on", "0", "false", "no", "off"):
        return value in ("1", "true", "yes", "on")
    raise ValueError("write 1 or 0")


def parse_lowercase(text: Any) -> Any:
    return text.strip().lower()


def parse_uppercase(text: Any) -> Any:
    return text.strip().upper()


def parse_names(text: Any) -> Any:
    return [part.strip() for part in text.split(",") if part.strip()]


def parse_hosts(text: Any) -> Any:
    """Parse host names as browsers send them, without https://, path or port."""
    for name in parse_names(text):
        if not re.fullmatch(r"\*|\.?[\w-]+(\.[\w-]+)*|\[[0-9a-fA-F:.]+\]", name):
            advice = "leave out https://, port and path, and separate names with commas"
            raise ValueError(f"{name!r} is not a host name: {advice}")
    return parse_names(text)


def parse_origins(text: Any) -> Any:
    for origin in parse_names(text):
        parse_origin(origin)
    return parse_names(text)


def parse_networks(text: Any) -> Any:
    for part in [] if text.strip() == "*" else parse_names(text):
        try:
            ipaddress.ip_network(part, strict=False)
        except ValueError:
            raise ValueError(
                f"{part!r} is not an IP address; separate addresses with commas"
            ) from None
    return text.strip()


def parse_address(text: Any) -> Any:
    if not text.strip().startswith(("https://", "http://")):
        raise ValueError("start with https:// or http://")
    if not urlsplit(text.strip()).hostname:
        raise ValueError("the host name after // is missing")
    return text.strip().rstrip("/")


def parse_origin(text: Any) -> Any:
    """Parse the address of a site. It must not have a path."""
    address = parse_address(text)
    if not _is_port_valid(address):
        raise ValueError("the port is not a number from 0 to 65535")
    if not re.fullmatch(r"https?://[\w.*:\[\]-]+", address):
        raise ValueError("write only https:// and the host name, without a path")
    return address


def parse_issuer(text: Any) -> Any:
    """Parse an issuer's URL. It must use https:// unless the issuer is on this machine.

    Tokens are trusted because they arrive over TLS from that URL.
    """
    url = parse_address(text)
    if url.startswith("http://") and urlsplit(url).hostname not in ("localhost", "127.0.0.1"):
        raise ValueError("start with https://")
    url = url.removesuffix("/.well-known/openid-configuration")
    if urlsplit(url).hostname == ENTRA and not re.fullmatch(
        r"/[\da-f-]{36}/v2\.0", urlsplit(url).path
    ):
        advice = "use the tenant's own “Directory (tenant) ID”, followed by /v2.0"
        raise ValueError(advice)
    return url


def parse_claims(text: Any) -> Any:
    """Parse claims with values, such as `amr:mfa`."""
    for part in parse_names(text):
        if not re.fullmatch(r"(amr|acr):\S+", part):
            raise ValueError(f"{part!r}: write amr: or acr: and the value, such as amr:mfa")
    return parse_names(text)


def parse_services(text: Any) -> Any:
    for name in parse_names(text):
        if not re.fullmatch(r"[\w-]+(\.[\w-]+)*(:\d{1,5})?", name):
            advice = "leave out https:// and the path, and separate names with commas"
            raise ValueError(f"{name!r} is not a host name: {advice}")
    return parse_names(text)


def parse_push_key(text: Any) -> Any:
    """Check that the text is a private key on the curve P-256, as VAPID tools print it."""
    try:
        decode_private_key(text.strip())
    except ValueError:
        raise ValueError("write the private key as 43 characters of base64url") from None
    return text.strip()


def parse_domains(text: Any) -> Any:
    for name in parse_names(text):
        if not re.fullmatch(r"[\w-]+(\.[\w-]+)+", name):
            raise ValueError(f"{name!r} is not a domain: write the part after the @")
    return [name.lower() for name in parse_names(text)]


def check_secret_key(text: Any) -> Any:
    """Check a secret key by the rule of Django's own check, which does not run at startup."""
    if len(text) < 50 or len(set(text)) < 5:
        command = 'python3 -c "import secrets; print(secrets.token_urlsafe(60))"'
        raise ValueError(f"write at least 50 random characters: {command}")
    return text


def check_token(text: Any) -> Any:
    if len(text) < 16:
        raise ValueError("write at least 16 random characters")
    return text


def check_database_url(text: Any) -> Any:
    """Check a database URL.

    For an invalid port, Django's own parser would fail with a traceback.
    """
    parts = urlsplit(text.strip())
    if parts.scheme not in ("postgres", "postgresql", "sqlite"):
        raise ValueError("start with postgres:// or sqlite:///")
    if not _is_port_valid(text):
        raise ValueError(f"the port is not a number from 0 to 65535; {ESCAPED}")
    if not parts.path.strip("/") and "service=" not in parts.query:
        raise ValueError("the name of the database is missing: postgres://user:password@host/name")
    return text.strip()


def check_redis_url(text: Any) -> Any:
    parts = urlsplit(text.strip())
    if parts.scheme not in ("redis", "rediss", "unix"):
        raise ValueError("start with redis:// (with TLS: rediss://)")
    if not _is_port_valid(text):
        raise ValueError(f"the port is not a number from 0 to 65535; {ESCAPED}")
    if parts.scheme != "unix" and not parts.hostname:
        raise ValueError("the host is missing: redis://host:6379/0")
    if parts.scheme != "unix" and not re.fullmatch(r"/?\d*", parts.path):
        raise ValueError("the part after the host must be a number: redis://host:6379/0")
    return text.strip()


def _is_port_valid(text: str) -> bool:
    try:
        _ = urlsplit(text.strip()).port
    except ValueError:
        return False
    return True


def check_server(text: Any) -> Any:
    if not re.fullmatch(r"[\w.:-]+", text.strip()) or re.search(r"[^:]:\d+$", text.strip()):
        raise ValueError("write only the host name, without smtp:// and port")
    return text.strip()


def check_absolute_path(text: Any) -> Any:
    if not text.startswith("/"):
        raise ValueError("write the full path, starting with /")
    return text


def check_sender(text: Any) -> Any:
    _name, email = parseaddr(text)
    if not re.fullmatch(r"[^@\s]+@[^@\s]+", email):
        raise ValueError('write an address, or "Name <address>"')
    return text.strip()


def check_mailbox(text: Any) -> Any:
    if not re.fullmatch(r"[^@\s]+@[^@\s]+", text.strip()):
        raise ValueError("write only an address")
    return text.strip()


def parse_zone(text: Any) -> Any:
    name = text.strip()
    if name in zone_names():
        return canonical_zone(name)
    if "/" not in name:
        raise ValueError("no such time zone: write a place, such as Asia/Kolkata")
    near = difflib.get_close_matches(name, sorted(zone_names()), 1)
    raise ValueError("no such time zone" + (f": did you mean {near[0]}?" if near else ""))


def create_folder(text: Any) -> Any:
    """Create a folder that only its owner can read.

    It will contain password hashes and session keys.
    """
    path = Path(text)
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"the folder cannot be created ({error.strerror})") from None
    return path


Flag = Annotated[bool, BeforeValidator(parse_flag), KindLabel("1 or 0")]
Names = Annotated[list[str], BeforeValidator(parse_names), KindLabel("names, separated by commas")]
Hosts = Annotated[list[str], BeforeValidator(parse_hosts), KindLabel("names, separated by commas")]
Origins = Annotated[
    list[str], BeforeValidator(parse_origins), KindLabel("addresses, separated by commas")
]
Networks = Annotated[
    str, BeforeValidator(parse_networks), KindLabel("IP addresses, separated by commas")
]
Address = Annotated[str, BeforeValidator(parse_origin), KindLabel("site address")]
Issuer = Annotated[str, BeforeValidator(parse_issuer), KindLabel("provider address")]
Claims = Annotated[
    list[str], BeforeValidator(parse_claims), KindLabel("claims, separated by commas")
]
Domains = Annotated[
    list[str], BeforeValidator(parse_domains), KindLabel("domains, separated by commas")
]
DatabaseAddress = Annotated[
    str, BeforeValidator(check_database_url), KindLabel("database address"), Confidential()
]
RedisAddress = Annotated[
    str, BeforeValidator(check_redis_url), KindLabel("Redis address"), Confidential()
]
Services = Annotated[
    list[str], BeforeValidator(parse_services), KindLabel("names, separated by commas")
]
PushKey = Annotated[str, BeforeValidator(parse_push_key), KindLabel("text"), Confidential()]
Sender = Annotated[str, BeforeValidator(check_sender), KindLabel("email address")]
Mailbox = Annotated[str, BeforeValidator(check_mailbox), KindLabel("email address")]
Zone = Annotated[str, BeforeValidator(parse_zone), KindLabel("time zone")]
Server = Annotated[str, BeforeValidator(check_server), KindLabel("text")]
WholePath = Annotated[str, BeforeValidator(check_absolute_path), KindLabel("text")]
Key = Annotated[str, BeforeValidator(check_secret_key), KindLabel("text"), Confidential()]
Secret = Annotated[str, KindLabel("text"), Confidential()]
Token = Annotated[str, BeforeValidator(check_token), KindLabel("text"), Confidential()]
Folder = Annotated[Path, BeforeValidator(create_folder), KindLabel("folder")]
