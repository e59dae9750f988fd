"""Every variable that the site reads: its type, its default, and the sentence of docs/settings.md.

`title` says a default that is no value but what happens without one.
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
        description="signs sessions and seals second factors (with another key nobody's app "
        "counts any more), 50 signs of chance or more; must be set with `DATABASE_URL`, the same "
        "for all processes",
    )
    DATABASE_URL: kinds.DatabaseAddress = Field(
        "",
        title="SQLite in `var/`",
        description="`postgres://user:password@host/name`, or `postgres:///name` for the local "
        "socket; on another machine with `?sslmode=verify-full`",
    )
    DATABASE_POOL: int = Field(
        12,
        ge=11,
        description="connections that one process keeps at most: six threads for tables, four "
        "for pages, one over; processes × this, the worker counted too, must stay under "
        "PostgreSQL's `max_connections` (its default, 100, is enough for seven processes and "
        "the worker)",
    )
    DATABASE_PREPARES: kinds.Flag = Field(
        True,
        description="0 behind a pooler that shares connections between transactions: the "
        "statements of an action are then planned anew each time",
    )
    REDIS_URL: kinds.RedisAddress = Field(
        "",
        title="none: one process",
        description="`redis://host:6379/0`, on another machine `rediss://`; needed as soon as "
        "there is a second process",
    )
    ALLOWED_HOSTS: kinds.Hosts = Field(
        ["localhost", "127.0.0.1", "[::1]"],
        title="localhost",
        description="names of the site, with commas; also the origins that may open sockets",
    )
    ANONYMOUS_SOCKETS: int = Field(
        2000,
        ge=0,
        description="sockets that visitors without an account may have open from one address, "
        "at each process",
    )
    GUEST_TABLES: int = Field(
        200,
        ge=0,
        description="tables at which people practise without an account, at a time; one network "
        "has a quarter of what others leave free; one that was left for ten minutes makes room, "
        "one never played after one; 0: practice needs an account",
    )
    GUEST_BOTS: Annotated[Literal["idle", "plain", "any"], BeforeValidator(kinds.word)] = Field(
        "idle",
        description="how well the bots there may play: `plain`; `any`: as the guest chooses; "
        "`idle`: as the guest chooses while half of the cores have nothing to do, else plain",
    )
    CSRF_TRUSTED_ORIGINS: kinds.Origins = Field(
        [],
        title="none",
        description="only if a proxy changes the Host header: `https://cards.example.edu`",
    )
    FORWARDED_ALLOW_IPS: kinds.Networks = Field(
        "127.0.0.1",
        description="the proxy's address where it is another machine: `X-Forwarded-For` and "
        "`X-Forwarded-Proto` are believed from there alone; limits on guessing count by the "
        "one, `HTTPS=1` redirects by the other",
    )
    SITE_ADDRESS: kinds.Address = Field(
        "",
        title="with `HTTPS=1`: `https://` and the first of `ALLOWED_HOSTS`",
        description="where mails lead that a command, the worker or a table has caused; mails "
        "that a page has caused lead where that page was",
    )
    HTTPS: kinds.Flag = Field(
        False,
        description="1: secure `__Host-` cookies, redirect to https, HSTS for a year; needs a "
        "proxy that sets `X-Forwarded-Proto`",
    )
    HSTS_SUBDOMAINS: kinds.Flag = Field(
        False,
        description="1: browsers keep to https at every name below the site's too, for a year; "
        "never at a college's own bare domain, whose other machines this would bind",
    )
    HSTS_PRELOAD: kinds.Flag = Field(
        False,
        description="1: the name may be put into browsers' lists of names with https alone, "
        "from which it is hard to be removed; needs `HSTS_SUBDOMAINS=1`",
    )
    STAFF_SECOND_FACTOR: kinds.Flag | None = Field(
        None,
        title="as `HTTPS`",
        description="1: whoever enters the desk gives a second factor; 0: only where an event "
        "asks for it ([second factor](security.md#second-factor))",
    )
    OIDC_ISSUER: kinds.Issuer = Field(
        "",
        title="none: passwords and codes by mail alone",
        description="who signs people in with the college's account, by OpenID Connect: "
        "`https://accounts.google.com`; its page below `/.well-known/` tells the rest "
        "([deploy](deploy.md#sign-in-with-the-colleges-account))",
    )
    OIDC_CLIENT_ID: str = Field("", title="none", description="the site's name there")
    OIDC_CLIENT_SECRET: kinds.Secret = Field("", title="none", description="its secret there")
    OIDC_LABEL: str = Field(
        "",
        title="“Sign in with your college account”",
        description="what the button calls the account: “Sign in with …”",
    )
    OIDC_PROVED_DOMAINS: kinds.Domains = Field(
        [],
        title="none",
        description="addresses of exactly these domains count as proved where the issuer says "
        "nothing of it (Microsoft Entra sends no `email_verified`); only if the issuer lets "
        "nobody choose an address there",
    )
    OIDC_SECOND_FACTOR: kinds.Claims = Field(
        [],
        title="none: staff give theirs here",
        description="what of the ID token says that a second factor was given at the issuer: "
        "`amr:mfa`, `acr:2`; one of them is enough, and is trusted as one of this site",
    )
    PASSWORD_SIGN_UP: kinds.Flag = Field(
        True,
        description="0: new accounts come by `OIDC_ISSUER` alone; who has a password signs in "
        "with it as before",
    )
    EMAIL_HOST: kinds.Server = Field(
        "",
        title="mail is printed to the log",
        description="the mail server for codes, confirmations, what became of a registration, "
        "and seats",
    )
    EMAIL_PORT: int = Field(587, ge=1, le=65535, description="its port")
    EMAIL_HOST_USER: str = Field("", title="none", description="the account there")
    EMAIL_HOST_PASSWORD: kinds.Secret = Field("", title="none", description="its password")
    EMAIL_USE_TLS: kinds.Flag = Field(True, description="STARTTLS before anything is said")
    DEFAULT_FROM_EMAIL: kinds.Sender = Field(
        "Lastcard <lastcard@localhost>",
        description="sender: an address for which the mail server may send, set with `EMAIL_HOST`",
    )
    TIME_ZONE: kinds.Zone = Field("UTC", description="in which times are shown and typed")
    INSTITUTION: str = Field(
        "",
        title="none",
        description="who answers for the site, as the page “Privacy” names it: the college, the "
        "association",
    )
    PRIVACY_CONTACT: kinds.Mailbox = Field(
        "",
        title="none: the organizers of each event",
        description="the address to which people write about what is stored of them, on the "
        "page “Privacy”",
    )
    KEEP_EVENT_DAYS: int = Field(
        0,
        ge=0,
        le=3650,
        title="0: until organizers delete it",
        description="days after the end of an event until its personal data is deleted; an event "
        "may say fewer, not more; one that nobody has finished or touched for as long goes too",
    )
    KEEP_ACCOUNT_DAYS: int = Field(
        0,
        ge=0,
        le=3650,
        title="0: until it is deleted by hand",
        description="days without a sign-in after which an account is deleted that is in no "
        "event, has no role and is not staff",
    )
    KEEP_SESSION_DAYS: int = Field(
        14,
        ge=1,
        le=365,
        description="days after which a sign-in ends; organizers' end after 12 hours",
    )
    KEEP_MAIL_DAYS: int = Field(
        90,
        ge=7,
        le=3650,
        description="days for which an event lists what became of its mails; address and text go "
        "when a mail is sent, or seven days after it was given up",
    )
    KEEP_LOG_DAYS: int = Field(
        90,
        ge=1,
        le=3650,
        description="days for which the log of the pages of rows is kept, and files `*.log*` in "
        "`LASTCARD_VAR`; the journal and nginx have [settings of their own]"
        "(deploy.md#figures-and-logs), which must not say more",
    )
    KEEP_BACKUP_DAYS: int = Field(
        14,
        ge=1,
        le=3650,
        description="days for which backups are kept: by the nightly timer in `BACKUP_FOLDER`, by "
        "the worker in `LASTCARD_VAR`",
    )
    BACKUP_FOLDER: kinds.WholePath = Field(
        "/var/backups/lastcard",
        description="where the nightly timer puts backups (after another `deploy/setup`); "
        "`find_person` says how old those are",
    )
    LASTCARD_VAR: kinds.Folder = Field(
        BASE_DIR / "var",
        validate_default=True,
        title="`var/` beside the code",
        description="SQLite file, collected static files, key; made with mode 700 (one from "
        "before: `chmod 700 var`)",
    )
    LOG_LEVEL: Annotated[
        Literal["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"], BeforeValidator(kinds.capital)
    ] = Field("INFO", description="log to standard output, one line an event")
    LOG_FORMAT: Annotated[Literal["text", "json"], BeforeValidator(kinds.word)] = Field(
        "text",
        description="`json`: each event an object with `at`, `level`, `logger`, `message`, `id` "
        "of its request or action, and `traceback`",
    )
    METRICS_TOKEN: kinds.Secret = Field(
        "",
        title="none: superusers alone",
        description="who sends `Authorization: Bearer` and this reads `/metrics` of each process",
    )
    DEBUG: kinds.Flag = Field(False, description="never 1 on a server")
