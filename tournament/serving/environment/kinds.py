"""What a variable's text may be: each kind reads it, or raises ValueError with what to write."""

import difflib
import ipaddress
import re
import zoneinfo
from email.utils import parseaddr
from pathlib import Path
from typing import Annotated, Any, NamedTuple
from urllib.parse import urlsplit

from pydantic import BeforeValidator


class Told(NamedTuple):
    """How a kind is called in docs/settings.md."""

    kind: str


class Confidential(NamedTuple):
    """Its value is a secret, or holds one: no list of what is wrong repeats it."""

    shown: bool = False


def flag(text: Any) -> Any:
    """1, true, yes, on or their opposites; anything else is an error, not a guess."""
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
    """Names as a browser sends them: without https://, path or port."""
    for name in names(text):
        if not re.fullmatch(r"\*|\.?[\w-]+(\.[\w-]+)*|\[[0-9a-fA-F:.]+\]", name):
            raise ValueError(f"{name!r} is no name of a site: no https://, no port, no path")
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
            raise ValueError(f"{part!r} is no address; write addresses with commas") from None
    return text.strip()


def address(text: Any) -> Any:
    if not text.strip().startswith(("https://", "http://")):
        raise ValueError("begin with https:// or http://")
    if not urlsplit(text.strip()).hostname:
        raise ValueError("a name is missing after the //")
    return text.strip().rstrip("/")


def issuer(text: Any) -> Any:
    """Tokens are believed because they come over TLS from there; on this machine without."""
    found = address(text)
    if found.startswith("http://") and urlsplit(found).hostname not in ("localhost", "127.0.0.1"):
        raise ValueError("begin with https://")
    return found.removesuffix("/.well-known/openid-configuration")


def said(text: Any) -> Any:
    """Claims with a value each: `amr:mfa`."""
    for part in names(text):
        if not re.fullmatch(r"(amr|acr):\S+", part):
            raise ValueError(f"{part!r}: write amr: or acr: and the value, like amr:mfa")
    return names(text)


def domains(text: Any) -> Any:
    for name in names(text):
        if not re.fullmatch(r"[\w-]+(\.[\w-]+)+", name):
            raise ValueError(f"{name!r} is no domain: write what stands after the @")
    return [name.lower() for name in names(text)]


def database(text: Any) -> Any:
    """Django's own reading of the rest would end in a traceback for a port that is none."""
    if urlsplit(text.strip()).scheme not in ("postgres", "postgresql", "sqlite"):
        raise ValueError("begin with postgres:// or sqlite:///")
    _port(text)
    return text.strip()


def redis(text: Any) -> Any:
    if urlsplit(text.strip()).scheme not in ("redis", "rediss", "unix"):
        raise ValueError("begin with redis:// (with TLS: rediss://)")
    _port(text)
    return text.strip()


def _port(text: str) -> None:
    try:
        _ = urlsplit(text.strip()).port
    except ValueError:
        raise ValueError("its port is no number from 0 to 65535") from None


def sender(text: Any) -> Any:
    _name, mailbox = parseaddr(text)
    if not re.fullmatch(r"[^@\s]+@[^@\s]+", mailbox):
        raise ValueError('write an address, or "Name <address>"')
    return text.strip()


def mailbox(text: Any) -> Any:
    if not re.fullmatch(r"[^@\s]+@[^@\s]+", text.strip()):
        raise ValueError("write an address, and nothing else")
    return text.strip()


def zone(text: Any) -> Any:
    known = zoneinfo.available_timezones()
    if text.strip() in known:
        return text.strip()
    near = difflib.get_close_matches(text.strip(), sorted(known), 1)
    raise ValueError("no such time zone" + (f": did you mean {near[0]}?" if near else ""))


def folder(text: Any) -> Any:
    """Made for its owner alone: it holds password hashes and the keys of sessions."""
    path = Path(text)
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise ValueError(f"no folder can be made there ({error.strerror})") from None
    return path


Flag = Annotated[bool, BeforeValidator(flag), Told("1 or 0")]
Names = Annotated[list[str], BeforeValidator(names), Told("names, with commas")]
Hosts = Annotated[list[str], BeforeValidator(hosts), Told("names, with commas")]
Origins = Annotated[list[str], BeforeValidator(origins), Told("addresses, with commas")]
Networks = Annotated[str, BeforeValidator(networks), Told("IP addresses, with commas")]
Address = Annotated[str, BeforeValidator(address), Told("address of a site")]
Issuer = Annotated[str, BeforeValidator(issuer), Told("address of an issuer")]
Claims = Annotated[list[str], BeforeValidator(said), Told("claims, with commas")]
Domains = Annotated[list[str], BeforeValidator(domains), Told("domains, with commas")]
DatabaseAddress = Annotated[
    str, BeforeValidator(database), Told("address of a database"), Confidential()
]
RedisAddress = Annotated[str, BeforeValidator(redis), Told("address of Redis"), Confidential()]
Sender = Annotated[str, BeforeValidator(sender), Told("mail address")]
Mailbox = Annotated[str, BeforeValidator(mailbox), Told("mail address")]
Zone = Annotated[str, BeforeValidator(zone), Told("time zone")]
Secret = Annotated[str, Told("text"), Confidential()]
Folder = Annotated[Path, BeforeValidator(folder), Told("folder")]
