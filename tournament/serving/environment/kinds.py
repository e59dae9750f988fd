"""Kinds of variable, each of which parses text or raises ValueError with what to write."""

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
# Under other names than its number a tenant calls itself by that, and is not believed.
ENTRA = "login.microsoftonline.com"


class KindLabel(NamedTuple):
    """The name of a kind in docs/settings.md."""

    kind: str


class Confidential(NamedTuple):
    """Marker for a value that is or contains a secret, which no error message repeats."""

    shown: bool = False


def flag(text: Any) -> Any:
    """Parse 1, true, yes, on or their opposites; anything else is an error, not a guess."""
    word = str(text).strip().lower()
    if word in ("1", "true", "yes", "on", "0", "false", "no", "off"):
        return word in ("1", "true", "yes", "on")
    raise ValueError("write 1 or 0")


def word(text: Any) -> Any:
    return text.strip().lower()


def capital(text: Any) -> Any:
    return text.strip().upper()


def names(text: Any) -> Any:
    return [part.strip() for part in text.split(",") if part.strip()]


def hosts(text: Any) -> Any:
    """Parse host names as a browser sends them: without https://, path or port."""
    for name in names(text):
        if not re.fullmatch(r"\*|\.?[\w-]+(\.[\w-]+)*|\[[0-9a-fA-F:.]+\]", name):
            told = "leave out https://, port and path, and separate names with commas"
            raise ValueError(f"{name!r} is not a host name: {told}")
    return names(text)


def origins(text: Any) -> Any:
    for origin in names(text):
        address(origin)
    return names(text)


def networks(text: Any) -> Any:
    for part in [] if text.strip() == "*" else names(text):
        try:
            ipaddress.ip_network(part, strict=False)
        except ValueError:
            raise ValueError(
                f"{part!r} is not an IP address; separate addresses with commas"
            ) from None
    return text.strip()


def address(text: Any) -> Any:
    if not text.strip().startswith(("https://", "http://")):
        raise ValueError("start with https:// or http://")
    if not urlsplit(text.strip()).hostname:
        raise ValueError("the host name after // is missing")
    return text.strip().rstrip("/")


def issuer(text: Any) -> Any:
    """Parse an issuer's address, which must use https:// unless it is on this machine.

    Tokens are trusted because they arrive over TLS from that address.
    """
    found = address(text)
    if found.startswith("http://") and urlsplit(found).hostname not in ("localhost", "127.0.0.1"):
        raise ValueError("start with https://")
    found = found.removesuffix("/.well-known/openid-configuration")
    if urlsplit(found).hostname == ENTRA and not re.fullmatch(
        r"/[\da-f-]{36}/v2\.0", _get_path(found)
    ):
        told = "use the tenant's own “Directory (tenant) ID”, followed by /v2.0"
        raise ValueError(told)
    return found


def parse_claims(text: Any) -> Any:
    """Parse claims, each with a value: `amr:mfa`."""
    for part in names(text):
        if not re.fullmatch(r"(amr|acr):\S+", part):
            raise ValueError(f"{part!r}: write amr: or acr: and the value, such as amr:mfa")
    return names(text)


def parse_services(text: Any) -> Any:
    for name in names(text):
        if not re.fullmatch(r"[\w-]+(\.[\w-]+)*(:\d{1,5})?", name):
            advice = "leave out https:// and the path, and separate names with commas"
            raise ValueError(f"{name!r} is not a host name: {advice}")
    return names(text)


def parse_push_key(text: Any) -> Any:
    """Check a private key of the curve P-256, in the form that VAPID tools print."""
    try:
        decode_private_key(text.strip())
    except ValueError:
        raise ValueError("write the private key as 43 characters of base64url") from None
    return text.strip()


def domains(text: Any) -> Any:
    for name in names(text):
        if not re.fullmatch(r"[\w-]+(\.[\w-]+)+", name):
            raise ValueError(f"{name!r} is not a domain: write the part after the @")
    return [name.lower() for name in names(text)]


def key(text: Any) -> Any:
    """Check a secret key as Django's own check does, which does not run at startup."""
    if len(text) < 50 or len(set(text)) < 5:
        made = 'python3 -c "import secrets; print(secrets.token_urlsafe(60))"'
        raise ValueError(f"write at least 50 random characters: {made}")
    return text


def token(text: Any) -> Any:
    if len(text) < 16:
        raise ValueError("write at least 16 random characters")
    return text


def database(text: Any) -> Any:
    """Check a database URL, since Django's own parser ends in a traceback for an invalid port."""
    parts = urlsplit(text.strip())
    if parts.scheme not in ("postgres", "postgresql", "sqlite"):
        raise ValueError("start with postgres:// or sqlite:///")
    if not _is_port_valid(text):
        raise ValueError(f"the port is not a number from 0 to 65535; {ESCAPED}")
    if not parts.path.strip("/") and "service=" not in parts.query:
        raise ValueError("the name of the database is missing: postgres://user:password@host/name")
    return text.strip()


def redis(text: Any) -> Any:
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


def _get_path(text: str) -> str:
    return urlsplit(text).path


def server(text: Any) -> Any:
    if not re.fullmatch(r"[\w.:-]+", text.strip()) or re.search(r"[^:]:\d+$", text.strip()):
        raise ValueError("write only the host name, without smtp:// and port")
    return text.strip()


def whole_path(text: Any) -> Any:
    if not text.startswith("/"):
        raise ValueError("write the full path, starting with /")
    return text


def sender(text: Any) -> Any:
    _name, mailbox = parseaddr(text)
    if not re.fullmatch(r"[^@\s]+@[^@\s]+", mailbox):
        raise ValueError('write an address, or "Name <address>"')
    return text.strip()


def mailbox(text: Any) -> Any:
    if not re.fullmatch(r"[^@\s]+@[^@\s]+", text.strip()):
        raise ValueError("write only an address")
    return text.strip()


def zone(text: Any) -> Any:
    name = text.strip()
    if name in zone_names():
        return canonical_zone(name)
    if "/" not in name:
        raise ValueError("no such time zone: write a place, such as Asia/Kolkata")
    near = difflib.get_close_matches(name, sorted(zone_names()), 1)
    raise ValueError("no such time zone" + (f": did you mean {near[0]}?" if near else ""))


def folder(text: Any) -> Any:
    """Create a folder readable only by its owner.

    It holds password hashes and session keys.
    """
    path = Path(text)
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"the folder cannot be created ({error.strerror})") from None
    return path


Flag = Annotated[bool, BeforeValidator(flag), KindLabel("1 or 0")]
Names = Annotated[list[str], BeforeValidator(names), KindLabel("names, separated by commas")]
Hosts = Annotated[list[str], BeforeValidator(hosts), KindLabel("names, separated by commas")]
Origins = Annotated[
    list[str], BeforeValidator(origins), KindLabel("addresses, separated by commas")
]
Networks = Annotated[str, BeforeValidator(networks), KindLabel("IP addresses, separated by commas")]
Address = Annotated[str, BeforeValidator(address), KindLabel("site address")]
Issuer = Annotated[str, BeforeValidator(issuer), KindLabel("provider address")]
Claims = Annotated[
    list[str], BeforeValidator(parse_claims), KindLabel("claims, separated by commas")
]
Domains = Annotated[list[str], BeforeValidator(domains), KindLabel("domains, separated by commas")]
DatabaseAddress = Annotated[
    str, BeforeValidator(database), KindLabel("database address"), Confidential()
]
RedisAddress = Annotated[str, BeforeValidator(redis), KindLabel("Redis address"), Confidential()]
Services = Annotated[
    list[str], BeforeValidator(parse_services), KindLabel("names, separated by commas")
]
PushKey = Annotated[str, BeforeValidator(parse_push_key), KindLabel("text"), Confidential()]
Sender = Annotated[str, BeforeValidator(sender), KindLabel("email address")]
Mailbox = Annotated[str, BeforeValidator(mailbox), KindLabel("email address")]
Zone = Annotated[str, BeforeValidator(zone), KindLabel("time zone")]
Server = Annotated[str, BeforeValidator(server), KindLabel("text")]
WholePath = Annotated[str, BeforeValidator(whole_path), KindLabel("text")]
Key = Annotated[str, BeforeValidator(key), KindLabel("text"), Confidential()]
Secret = Annotated[str, KindLabel("text"), Confidential()]
Token = Annotated[str, BeforeValidator(token), KindLabel("text"), Confidential()]
Folder = Annotated[Path, BeforeValidator(folder), KindLabel("folder")]
