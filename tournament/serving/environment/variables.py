"""Every variable that the site reads, with its type, default and description for docs/settings.md.

If the default is not a plain value, `title` describes it.
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
        description="Signs sessions and seals second factors; after a change, every authenticator "
        "app must be set up again. At least 50 random characters. Required with "
        "`DATABASE_URL`, the same for all processes.",
    )
    DATABASE_URL: kinds.DatabaseAddress = Field(
        "",
        title="SQLite in `var/`",
        description="`postgres://user:password@host/name`, or `postgres:///name` for the local "
        "socket. For another machine, add `?sslmode=verify-full`.",
    )
    DATABASE_URL_DIRECT: kinds.DatabaseAddress = Field(
        "",
        title="as `DATABASE_URL`",
        description="The database itself, if `DATABASE_URL` leads to a pooler such as PgBouncer. "
        "Migrations, backups and restores use it.",
    )
    DATABASE_POOL: int = Field(
        12,
        ge=11,
        le=1000,
        description="Most connections per process: six threads for tables, four for pages, and a "
        "spare. All processes and the worker together must stay under PostgreSQL's "
        "`max_connections`. Its default of 100 is enough for seven processes and the "
        "worker.",
    )
    DATABASE_PREPARES: kinds.Flag = Field(
        True,
        description="Set 0 behind a pooler that shares connections between transactions. The "
        "statements of each action are then planned again.",
    )
    REDIS_URL: kinds.RedisAddress = Field(
        "",
        title="none: one process",
        description="`redis://host:6379/0`, or `rediss://` for another machine. Required as soon "
        "as there is a second process.",
    )
    PROCESSES: int = Field(
        0,
        ge=0,
        le=64,
        title="one per core, from 2 to 6",
        description="Processes that `deploy/setup` starts; run it after a change.",
    )
    ALLOWED_HOSTS: kinds.Hosts = Field(
        ["localhost", "127.0.0.1", "[::1]"],
        title="localhost",
        description="Names of the site. They are also the origins that may open sockets.",
    )
    ANONYMOUS_SOCKETS: int = Field(
        2000,
        ge=0,
        description="Sockets that visitors without an account may open per address and process.",
    )
    GUEST_TABLES: int = Field(
        200,
        ge=0,
        description="Practice tables in use by guests at a time. One network gets a quarter of the "
        "free ones. A table is freed after ten minutes without its player, or after "
        "one if nothing was played. With 0, practice needs an account.",
    )
    GUEST_BOTS: Annotated[
        Literal["idle", "plain", "any"], BeforeValidator(kinds.parse_lowercase)
    ] = Field(
        "idle",
        description="How well bots play at guests' tables. `plain`: plain. `any`: as the guest "
        "chooses. `idle`: as the guest chooses while half of the cores are idle, "
        "otherwise plain.",
    )
    CSRF_TRUSTED_ORIGINS: kinds.Origins = Field(
        [],
        title="none",
        description="Needed only if a proxy changes the Host header: `https://cards.example.edu`.",
    )
    FORWARDED_ALLOW_IPS: kinds.Networks = Field(
        "127.0.0.1",
        description="The proxy's address, if it is another machine. `X-Forwarded-For` (used by "
        "sign-in limits) and `X-Forwarded-Proto` (used by `HTTPS=1`) are believed only "
        "from there.",
    )
    SITE_ADDRESS: kinds.Address = Field(
        "",
        title="with `HTTPS=1`: `https://` and the first of `ALLOWED_HOSTS`",
        description="Base of links in emails caused by a command, the worker or a table. Emails "
        "caused by a page link to that page's address.",
    )
    HTTPS: kinds.Flag = Field(
        False,
        description="1: secure `__Host-` cookies, redirects to https, and HSTS for a year. Needs a "
        "proxy that sets `X-Forwarded-Proto`.",
    )
    HSTS_SUBDOMAINS: kinds.Flag = Field(
        False,
        description="1: browsers also use https for every name below the site's, for a year. Never "
        "use it on a college's bare domain: it would bind the college's other machines.",
    )
    HSTS_PRELOAD: kinds.Flag = Field(
        False,
        description="1: the name may join the browsers' list of https-only names, which is hard to "
        "leave. Needs `HSTS_SUBDOMAINS=1`.",
    )
    STAFF_SECOND_FACTOR: kinds.Flag | None = Field(
        None,
        title="as `HTTPS`",
        description="1: everyone who enters the desk gives a second factor. 0: only where an event "
        "asks for it ([second factor](security.md#second-factor)).",
    )
    OIDC_ISSUER: kinds.Issuer = Field(
        "",
        title="none: only passwords and codes by email",
        description="The OpenID Connect issuer of the college's accounts, such as "
        "`https://accounts.google.com`. Its document below `/.well-known/` supplies "
        "the rest ([deploy](deploy.md#sign-in-with-the-colleges-account)).",
    )
    OIDC_CLIENT_ID: str = Field("", title="none", description="The site's name at the issuer.")
    OIDC_CLIENT_SECRET: kinds.Secret = Field(
        "", title="none", description="The site's secret at the issuer."
    )
    OIDC_LABEL: str = Field(
        "",
        title="“Sign in with your college account”",
        description="The text of the sign-in button: “Sign in with …”.",
    )
    OIDC_PROVED_DOMAINS: kinds.Domains = Field(
        [],
        title="none",
        description="Addresses in exactly these domains count as confirmed if the issuer does not "
        "say (Microsoft Entra sends no `email_verified`). Use it only if people cannot "
        "choose their address there.",
    )
    OIDC_SECOND_FACTOR: kinds.Claims = Field(
        [],
        title="none: staff enter theirs here",
        description="Claims of the ID token that prove a second factor at the issuer: `amr:mfa`, "
        "`acr:2`. One is enough, and it counts like a second factor on this site.",
    )
    PASSWORD_SIGN_UP: kinds.Flag = Field(
        True,
        description="0: new accounts come only from `OIDC_ISSUER`. Accounts with a password still "
        "sign in with it.",
    )
    EMAIL_HOST: kinds.Server = Field(
        "",
        title="emails are printed to the log",
        description="The mail server for codes, confirmations, registration decisions and seats.",
    )
    EMAIL_PORT: int = Field(587, ge=1, le=65535, description="Port of the mail server.")
    EMAIL_HOST_USER: str = Field("", title="none", description="Account at the mail server.")
    EMAIL_HOST_PASSWORD: kinds.Secret = Field(
        "", title="none", description="Password at the mail server."
    )
    EMAIL_USE_TLS: kinds.Flag = Field(
        True,
        title="1, or 0 with `EMAIL_USE_SSL=1`",
        description="1: use STARTTLS before sending anything.",
    )
    EMAIL_USE_SSL: kinds.Flag = Field(
        False,
        title="1 with `EMAIL_PORT=465`, otherwise 0",
        description="1: use TLS from the first byte, as servers expect on port 465.",
    )
    DEFAULT_FROM_EMAIL: kinds.Sender = Field(
        "Lastcard <lastcard@localhost>",
        description="Sender. The mail server must be allowed to send for this address. Set it with "
        "`EMAIL_HOST`.",
    )
    PUSH_MESSAGES: kinds.Flag = Field(
        True,
        description="0: send no push messages. Players are then not called to their table while "
        "its page is closed ([push messages](deploy.md#push-messages)).",
    )
    PUSH_SERVICES: kinds.Services = Field(
        [],
        title="none (only those of Chrome, Firefox, Safari and Edge)",
        description="Additional push services, such as push.example.edu or "
        "push.example.edu:8443. They may be in your own network.",
    )
    VAPID_PRIVATE_KEY: kinds.PushKey = Field(
        "",
        title="derived from `SECRET_KEY`",
        description="Key that signs push messages: 32 bytes in base64url. After a change, a device "
        "gets no push messages until its player opens a table.",
    )
    TIME_ZONE: kinds.Zone = Field("UTC", description="Zone in which times are shown and entered.")
    INSTITUTION: str = Field(
        "",
        title="none",
        description="The college or association responsible for the site, as named on the page "
        "“Privacy”.",
    )
    PRIVACY_CONTACT: kinds.Mailbox = Field(
        "",
        title="none: the organizers of each event",
        description="Address for questions about personal data, shown on the page “Privacy”.",
    )
    KEEP_EVENT_DAYS: int = Field(
        0,
        ge=0,
        le=3650,
        title="0: until organizers delete it",
        description="Days after an event's end until its personal data is deleted. An event may "
        "set fewer, not more. An unfinished event that nobody has touched for that "
        "long is cleared too.",
    )
    KEEP_ACCOUNT_DAYS: int = Field(
        0,
        ge=0,
        le=3650,
        title="0: until it is deleted by hand",
        description="Days without a sign-in until an account is deleted, if it is in no event, has "
        "no role and is not staff.",
    )
    KEEP_SESSION_DAYS: int = Field(
        14,
        ge=1,
        le=365,
        description="Days until a sign-in ends. Organizers' sign-ins end after 12 hours.",
    )
    KEEP_MAIL_DAYS: int = Field(
        90,
        ge=7,
        le=3650,
        description="Days for which an event lists what became of its emails. Address and text are "
        "deleted when an email is sent, or seven days after it has failed.",
    )
    KEEP_LOG_DAYS: int = Field(
        90,
        ge=1,
        le=3650,
        description="Days for which the admin's change log and files `*.log*` in `LASTCARD_VAR` "
        "are kept. The journal and nginx have [settings of their "
        "own](deploy.md#metrics-and-logs), which must not exceed this.",
    )
    KEEP_BACKUP_DAYS: int = Field(
        14,
        ge=1,
        le=3650,
        description="Days for which backups are kept, by the nightly timer in `BACKUP_FOLDER` and "
        "by the worker in `LASTCARD_VAR`.",
    )
    BACKUP_FOLDER: kinds.WholePath = Field(
        "/var/backups/lastcard",
        description="Folder of the nightly backups; run `deploy/setup` after a change. "
        "`find_person` names backups there that still hold a person.",
    )
    LASTCARD_VAR: kinds.Folder = Field(
        BASE_DIR / "var",
        validate_default=True,
        title="`var/` beside the code",
        description="SQLite file, collected static files and key. Created with mode 700; for an "
        "older folder, run `chmod 700 var`.",
    )
    LOG_LEVEL: Annotated[
        Literal["DEBUG", "INFO", "WARNING", "ERROR", "CRITICAL"],
        BeforeValidator(kinds.parse_uppercase),
    ] = Field("INFO", description="Level of the log on standard output, one line per event.")
    LOG_FORMAT: Annotated[Literal["text", "json"], BeforeValidator(kinds.parse_lowercase)] = Field(
        "text",
        description="`json`: each event is an object with `at`, `level`, `logger`, `message`, the "
        "`id` of its request or action, and `traceback`.",
    )
    METRICS_TOKEN: kinds.Token = Field(
        "",
        title="none: superusers only",
        description="Requests with `Authorization: Bearer` and this token may read `/metrics` of "
        "each process.",
    )
    DEBUG: kinds.Flag = Field(False, description="Never 1 on a server.")
