"""Reads the site's environment variables, and reports all errors together."""

import difflib
import os
import sys
from collections.abc import Callable, Mapping

from pydantic import ValidationError
from pydantic_core import ErrorDetails

from tournament.serving.environment.kinds import Confidential
from tournament.serving.environment.variables import Variables

# An unknown name that is at least this similar to a setting is reported as a misspelling. Examples
# are ALOWED_HOSTS, EMAIL_USER and TIMEZONE.
SIMILARITY = 0.8
SENTENCES = {
    "int_parsing": "write a whole number",
    "greater_than_equal": "write at least {ge}",
    "less_than_equal": "write at most {le}",
    "literal_error": "write one of {expected}",
}


# Variables with these prefixes have no effect without the other variable.
REQUIRED = {
    "OIDC_": "OIDC_ISSUER",
    "EMAIL_HOST_": "EMAIL_HOST",
    "DATABASE_URL_": "DATABASE_URL",
    "HSTS_": "HTTPS=1",
}
CONTRADICTIONS: dict[str, Callable[[Mapping[str, str]], bool]] = {
    "Set SECRET_KEY: all processes of the site need the same one.": lambda values: (
        "DATABASE_URL" in values and "SECRET_KEY" not in values
    ),
    "PASSWORD_SIGN_UP=0 requires OIDC_ISSUER: otherwise no one could create an account.": (
        lambda values: _is_disabled(values, "PASSWORD_SIGN_UP") and "OIDC_ISSUER" not in values
    ),
    "HSTS_PRELOAD=1 requires HSTS_SUBDOMAINS=1: browsers' lists only accept both together.": (
        lambda values: (
            _is_enabled(values, "HSTS_PRELOAD") and not _is_enabled(values, "HSTS_SUBDOMAINS")
        )
    ),
    "HTTPS=1 requires ALLOWED_HOSTS: the names under which people reach the site.": lambda values: (
        _is_enabled(values, "HTTPS") and "ALLOWED_HOSTS" not in values
    ),
    "HTTPS=1 and DEBUG=1 exclude each other: DEBUG shows settings to visitors.": lambda values: (
        _is_enabled(values, "HTTPS") and _is_enabled(values, "DEBUG")
    ),
    "SITE_ADDRESS must start with https:// because HTTPS is 1.": lambda values: (
        _is_enabled(values, "HTTPS")
        and values.get("SITE_ADDRESS", "").strip().startswith("http://")
    ),
    "Set SITE_ADDRESS: links in emails need one name, and ALLOWED_HOSTS begins with a pattern.": (
        lambda values: (
            _is_enabled(values, "HTTPS")
            and "SITE_ADDRESS" not in values
            and values.get("ALLOWED_HOSTS", "").strip().startswith((".", "*"))
        )
    ),
    "FORWARDED_ALLOW_IPS=* and ALLOWED_HOSTS=* exclude each other: anyone could claim any address "
    "and any name.": lambda values: (
        values.get("FORWARDED_ALLOW_IPS", "").strip() == "*"
        and "*" in _list_names(values, "ALLOWED_HOSTS")
    ),
    "EMAIL_USE_SSL=1 and EMAIL_USE_TLS=1 exclude each other: port 465 uses SSL, port 587 TLS.": (
        lambda values: _is_enabled(values, "EMAIL_USE_SSL") and _is_enabled(values, "EMAIL_USE_TLS")
    ),
}


class InvalidVariablesError(Exception):
    """Raised for invalid variables. `lines` has a line for each error, with a hint for the user."""

    def __init__(self, lines: list[str]) -> None:
        super().__init__("\n".join(lines))
        self.lines = lines


def read(environment: Mapping[str, str]) -> Variables:
    """Read all variables. An empty variable counts as unset.

    Raises InvalidVariablesError if any value is invalid or contradicts another one.
    """
    values = {name: environment[name] for name in Variables.model_fields if environment.get(name)}
    wrong = _find_contradictions(values)
    try:
        variables = Variables.model_validate(values)
    except ValidationError as error:
        wrong += [_format_error(each, values) for each in error.errors()]
    if wrong:
        raise InvalidVariablesError(sorted(wrong))
    return variables


def read_environment() -> Variables:
    """Read this process's variables, or exit with status 2 and a line for each invalid one."""
    try:
        return read(os.environ)
    except InvalidVariablesError as wrong:
        lines = ["The settings are wrong (docs/settings.md):", *wrong.lines]
        sys.stderr.write("\n  ".join(lines) + "\n")
        sys.exit(2)


def find_misspellings(environment: Mapping[str, str]) -> dict[str, str]:
    """Return the unknown names that resemble a setting, mapped to that setting."""
    settings = list(Variables.model_fields)
    unknown = [name for name in environment if name not in settings]
    similar = {
        name: difflib.get_close_matches(name.upper(), settings, 1, SIMILARITY) for name in unknown
    }
    return {name: matches[0] for name, matches in sorted(similar.items()) if matches}


def _find_contradictions(values: Mapping[str, str]) -> list[str]:
    """Return a sentence for each contradiction between variables."""
    wrong = [sentence for sentence, is_wrong in CONTRADICTIONS.items() if is_wrong(values)]
    for name, needed in REQUIRED.items():
        wrong += [
            f"{each} requires {needed}." for each in _list_without_requirement(values, name, needed)
        ]
    if "OIDC_ISSUER" in values:
        missing = {"OIDC_CLIENT_ID", "OIDC_CLIENT_SECRET"} - values.keys()
        wrong += [
            f"OIDC_ISSUER requires {each}, which you get from the provider." for each in missing
        ]
    return wrong


def _list_without_requirement(values: Mapping[str, str], start: str, needed: str) -> list[str]:
    """List the variables with this prefix that have no effect because `needed` is not set."""
    if values.get(needed.removesuffix("=1")) and not _is_disabled(
        values, needed.removesuffix("=1")
    ):
        return []
    return [name for name in values if name.startswith(start) and not _is_disabled(values, name)]


def _list_names(values: Mapping[str, str], name: str) -> list[str]:
    return [each.strip() for each in values.get(name, "").split(",")]


def _is_enabled(values: Mapping[str, str], name: str) -> bool:
    return values.get(name, "").strip().lower() in ("1", "true", "yes", "on")


def _is_disabled(values: Mapping[str, str], name: str) -> bool:
    return values.get(name, "").strip().lower() in ("0", "false", "no", "off")


def _format_error(error: ErrorDetails, values: Mapping[str, str]) -> str:
    """Format an error, such as `EMAIL_PORT='abc': write a whole number.`"""
    name = str(error["loc"][0])
    context = error.get("ctx", {})
    if "expected" in context:
        context["expected"] = context["expected"].replace("'", "").replace(" or ", ", ")
    message = str(context.get("error", error["msg"]))
    if error["type"] in SENTENCES:
        message = SENTENCES[error["type"]].format(**context)
    hidden = any(isinstance(each, Confidential) for each in Variables.model_fields[name].metadata)
    value = "" if hidden else f"={values.get(name, str(error['input']))!r}"
    return f"{name}{value}: {message}" + ("" if message.endswith("?") else ".")
