"""Every variable that the site reads: its type, default and sentence for docs/settings.md.

`title` describes the default where it is not a plain value.
"""

from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field

from tournament.serving.environment import kinds

BASE_DIR = Path(__file__).resolve().parents[3]


class Variables(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")

    SECRET_KEY: kinds.Key = Field(
        "",
        title="a key kept in `var/secret-key`",
        description="signs sessions and encrypts second factors (after a change of key, everyone "
        "has to set theirs up again); at least 50 random characters; required with "
        "`DATABASE_URL`, and the same for all processes",
    )
    DATABASE_URL: kinds.DatabaseAddress = Field(
        "",
        title="SQLite in `var/`",
        description="`postgres://user:password@host/name`, or `postgres:///name` for the local "
        "socket; add `?sslmode=verify-full` if the database is on another machine",
    )
    DATABASE_POOL: int = Field(
        12,
        ge=11,
        description="maximum number of connections per process: six threads for tables, four for "
        "pages, one spare. The number of processes, including the worker, times this "
        "must stay below PostgreSQL's `max_connections` (the default of 100 is enough "
        "for seven processes and the worker)",
    )
    DATABASE_PREPARES: kinds.Flag = Field(
        True,
        description="0 behind a pooler that shares connections between transactions; the "
        "statements of each action are then planned anew every time",
    )
    REDIS_URL: kinds.RedisAddress = Field(
        "",
        title="none: one process",
        description="`redis://host:6379/0`, or `rediss://` if Redis is on another machine; "
        "required with more than one process",
    )
    ALLOWED_HOSTS: kinds.Hosts = Field(
        ["localhost", "127.0.0.1", "[::1]"],
        title="localhost",
        description="host names of the site, separated by commas; also the origins that may open "
        "sockets",
    )
    ANONYMOUS_SOCKETS: int = Field(
        2000,
        ge=0,
        description="sockets that visitors without an account may have open from one address, per "
        "process",
    )
    GUEST_TABLES: int = Field(
        200,
        ge=0,
        description="maximum number of practice tables for visitors without an account; one "
        "network can have a quarter of the tables that others leave free. A table "
        "makes room after ten minutes without its player, or after one minute if it "
        "was never played. 0: practice requires an account",
    )
    GUEST_BOTS: Annotated[Literal["idle", "plain", "any"], BeforeValidator(kinds.word)] = Field(
        "idle",
        description="how well the bots at these tables may play. `plain`: plain bots only; `any`: "
        "the guest chooses; `idle`: the guest chooses while half of the cores are "
        "idle, otherwise plain bots",
    )
    CSRF_TRUSTED_ORIGINS: kinds.Origins = Field(
        [],
        title="none",
        description="only if a proxy changes the Host header: `https://cards.example.edu`",
    )
    FORWARDED_ALLOW_IPS: kinds.Networks = Field(
        "127.0.0.1",
        description="address of the proxy, if it runs on another machine. `X-Forwarded-For` and "
        "`X-Forwarded-Proto` are only trusted from there: the first decides how limits "
        "on guessing are counted, the second whether `HTTPS=1` redirects",
    )
    SITE_ADDRESS: kinds.Address = Field(
        "",
        title="with `HTTPS=1`: `https://` and the first of `ALLOWED_HOSTS`",
        description="address used in emails that a command, the worker or a table sends; emails "
        "sent from a page use the address of that page",
    )
    HTTPS: kinds.Flag = Field(
        False,
        description="1: secure `__Host-` cookies, redirects to https, and HSTS for a year; "
        "requires a proxy that sets `X-Forwarded-Proto`",
    )
    HSTS_SUBDOMAINS: kinds.Flag = Field(
        False,
        description="1: browsers also use only https for all subdomains, for a year. Never turn "
        "this on for a college's own bare domain: it would affect the other machines "
        "there",
    )
    HSTS_PRELOAD: kinds.Flag = Field(
        False,
        description="1: the name may be added to browsers' lists of https-only sites, from which "
        "it is hard to remove; requires `HSTS_SUBDOMAINS=1`",
    )
    STAFF_SECOND_FACTOR: kinds.Flag | None = Field(
        None,
        title="same as `HTTPS`",
        description="1: everyone who enters the desk needs two-factor authentication; 0: only "
        "where an event requires it ([second factor](security.md#second-factor))",
    )
    OIDC_ISSUER: kinds.Issuer = Field(
        "",
        title="none: only passwords and emailed codes",
        description="the OpenID Connect provider that signs people in with their college account, "
        "for example `https://accounts.google.com`; the rest is read from its page "
        "below `/.well-known/` ([deploy](deploy.md#sign-in-with-the-colleges-account))",
    )
    OIDC_CLIENT_ID: str = Field(
        "", title="none", description="the site's client ID at the provider"
    )
    OIDC_CLIENT_SECRET: kinds.Secret = Field(
        "", title="none", description="the site's client secret at the provider"
    )
    OIDC_LABEL: str = Field(
        "",
        title="“Sign in with your college account”",
        description="name of the account on the button: “Sign in with …”",
    )
    OIDC_PROVED_DOMAINS: kinds.Domains = Field(
        [],
        title="none",
        description="domains whose addresses count as confirmed if the provider does not say so "
        "(Microsoft Entra sends no `email_verified`); subdomains are not included. Use "
        "this only if users cannot choose their own address there",
    )
    OIDC_SECOND_FACTOR: kinds.Claims = Field(
        [],
        title="none: staff use a second factor of this site",
        description="claims of the ID token that show that a second factor was used at the "
        "provider: `amr:mfa`, `acr:2`. One of them is enough, and it counts like a "
        "second factor of this site",
    )
    PASSWORD_SIGN_UP: kinds.Flag = Field(
        True,
        description="0: new accounts can only be created through `OIDC_ISSUER`; existing passwords "
        "still work",
    )
    EMAIL_HOST: kinds.Server = Field(
        "",
        title="emails are printed to the log",
        description="mail server for codes, confirmations, and news about registrations and seats",
    )
    EMAIL_PORT: int = Field(587, ge=1, le=65535, description="port of the mail server")
    EMAIL_HOST_USER: str = Field("", title="none", description="user name at the mail server")
    EMAIL_HOST_PASSWORD: kinds.Secret = Field(
        "", title="none", description="password at the mail server"
    )
    EMAIL_USE_TLS: kinds.Flag = Field(True, description="use STARTTLS before anything else is sent")
    DEFAULT_FROM_EMAIL: kinds.Sender = Field(
        "Lastcard <lastcard@localhost>",
        description="sender of all emails: an address that the mail server may send for; set it "
        "with `EMAIL_HOST`",
    )
    TIME_ZONE: kinds.Zone = Field(
        "UTC", description="time zone in which times are shown and entered"
    )
    INSTITUTION: str = Field(
        "",
        title="none",
        description="who is responsible for the site, as shown on the page “Privacy”: the college "
        "or an association",
    )
    PRIVACY_CONTACT: kinds.Mailbox = Field(
        "",
        title="none: the organizers of each event",
        description="email address for questions about personal data, shown on the page “Privacy”",
    )
    KEEP_EVENT_DAYS: int = Field(
        0,
        ge=0,
        le=3650,
        title="0: until organizers delete it",
        description="days after the end of an event until its personal data is deleted; an event "
        "may set fewer, but not more. This also applies to an unfinished event that no "
        "one has touched for that long",
    )
    KEEP_ACCOUNT_DAYS: int = Field(
        0,
        ge=0,
        le=3650,
        title="0: until it is deleted by hand",
        description="days without a sign-in after which an account is deleted if it is in no "
        "event, has no role and is not staff",
    )
    KEEP_SESSION_DAYS: int = Field(
        14,
        ge=1,
        le=365,
        description="days until a sign-in expires; for organizers it is always 12 hours",
    )
    KEEP_MAIL_DAYS: int = Field(
        90,
        ge=7,
        le=3650,
        description="days for which an event lists its emails and what became of them; address and "
        "text are deleted when an email is sent, or seven days after the site gave up "
        "on it",
    )
    KEEP_LOG_DAYS: int = Field(
        90,
        ge=1,
        le=3650,
        description="days for which the log of the database pages and the files `*.log*` in "
        "`LASTCARD_VAR` are kept; the journal and nginx have [settings of their "
        "own](deploy.md#figures-and-logs), which must not keep anything longer",
    )
    KEEP_BACKUP_DAYS: int = Field(
        14,
        ge=1,
        le=3650,
        description="days for which backups are kept: those of the nightly timer in "
        "`BACKUP_FOLDER`, those of the worker in `LASTCARD_VAR`",
    )
    BACKUP_FOLDER: kinds.WholePath = Field(
        "/var/backups/lastcard",
        description="folder for the backups of the nightly timer (run `deploy/setup` again after a "
        "change); `find_person` says how old they are",
    )
    LASTCARD_VAR: kinds.Folder = Field(
        BASE_DIR / "var",
        validate_default=True,
        title="`var/` next to the code",
        description="folder for the SQLite file, collected static files and the key; created with "
        "mode 700 (for an existing one, run `chmod 700 var`)",
    )
    LOG_LEVEL: Annotated[
        Literal["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"], BeforeValidator(kinds.capital)
    ] = Field(
        "INFO", description="level of the log, which goes to standard output, one line per event"
    )
    LOG_FORMAT: Annotated[Literal["text", "json"], BeforeValidator(kinds.word)] = Field(
        "text",
        description="`json`: one object per event with `at`, `level`, `logger`, `message`, the "
        "`id` of its request or action, and `traceback`",
    )
    METRICS_TOKEN: kinds.Secret = Field(
        "",
        title="none: only superusers",
        description="token for reading `/metrics` of each process, sent as `Authorization: Bearer`",
    )
    DEBUG: kinds.Flag = Field(False, description="never 1 on a server")
