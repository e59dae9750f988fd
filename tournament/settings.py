"""Django settings, read from environment variables. docs/settings.md lists the variables.

Without any variables, the site runs in one process with SQLite and prints emails to the console.
DATABASE_URL switches to PostgreSQL, and REDIS_URL allows several processes.
"""

import hashlib
import re
import sys
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import django
from csp.constants import NONE, SELF

from tournament.serving.environment.databases import make_database_settings
from tournament.serving.environment.reading import read_environment

ENVIRONMENT = read_environment()
BASE_DIR = Path(__file__).resolve().parent.parent
VAR_DIR = ENVIRONMENT.LASTCARD_VAR


def site_address(names: list[str], https: bool) -> str:
    """Return the site's URL for emails that are sent outside of a request.

    This is SITE_ADDRESS or, with HTTPS, the URL of the first host name. Returns "" if neither is
    available.
    """
    address = ENVIRONMENT.SITE_ADDRESS
    if not address and https and names and names[0][0] not in ".*":
        address = f"https://{names[0]}"
    return f"{address}/" if address else ""


def secret_key() -> str:
    """Return SECRET_KEY or, if it is not set, a key stored in var/.

    With the stored key, users remain signed in after a restart.
    """
    if ENVIRONMENT.SECRET_KEY:
        return ENVIRONMENT.SECRET_KEY
    path = VAR_DIR / "secret-key"
    if not path.exists():
        from django.core.management.utils import get_random_secret_key

        path.touch(mode=0o600)
        path.write_text(get_random_secret_key() * 2)
    return path.read_text()


DEBUG = ENVIRONMENT.DEBUG
SECRET_KEY = secret_key()
ALLOWED_HOSTS = ENVIRONMENT.ALLOWED_HOSTS
CSRF_TRUSTED_ORIGINS = ENVIRONMENT.CSRF_TRUSTED_ORIGINS
HTTPS = ENVIRONMENT.HTTPS
SITE_ADDRESS = site_address(ALLOWED_HOSTS, HTTPS)

INSTALLED_APPS = [
    "tournament.apps.LastcardAdminConfig",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "django.contrib.staticfiles",
    "django.contrib.humanize",
    "channels",
    "crispy_forms",
    "crispy_bootstrap5",
    "allauth",
    "allauth.account",
    "allauth.mfa",
    "allauth.socialaccount",
    "allauth.socialaccount.providers.openid_connect",
    "csp",
    *([] if django.VERSION >= (6, 0) else ["django_tasks"]),
    "django_tasks_db",
    "games",
    "tournament",
]

MIDDLEWARE = [
    "django.middleware.security.SecurityMiddleware",
    "csp.middleware.CSPMiddleware",
    "tournament.site.storage.StaticFilesMiddleware",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.locale.LocaleMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "tournament.people.accounts.security_log.log_refused_requests",
    "tournament.people.accounts.assurance.WeakSessions",
    "tournament.people.accounts.desk_sessions.DeskSessions",
    "tournament.site.middleware.mark_personal_pages_private",
    "tournament.site.middleware.reset_time_zone",
    "tournament.site.middleware.set_site_address",
]

ROOT_URLCONF = "tournament.urls"
ASGI_APPLICATION = "tournament.asgi.application"
WSGI_APPLICATION = "tournament.wsgi.application"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "builtins": ["django.templatetags.i18n"],
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "tournament.web.pages.site.context.header",
            ],
        },
    }
]


DATABASES = {"default": make_database_settings(ENVIRONMENT, VAR_DIR, sys.argv[1:2])}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

REDIS_URL = ENVIRONMENT.REDIS_URL
# Several sites may share a Redis server, and its channels ignore database numbers. The prefix
# separates matches with the same number.
SITE_PREFIX = hashlib.blake2b(SECRET_KEY.encode(), digest_size=6, person=b"redis").hexdigest()
REDIS_LAYER = {
    "BACKEND": "channels_redis.pubsub.RedisPubSubChannelLayer",
    "CONFIG": {"hosts": [REDIS_URL], "prefix": SITE_PREFIX},
}
CHANNEL_LAYERS: dict[str, Any] = {"default": REDIS_LAYER} if REDIS_URL else {}


def cache_settings(redis_url: str) -> dict[str, object]:
    """Return the cache settings for rate limits.

    Processes share their counts in Redis. Without Redis, or while it is down, each process counts
    separately.
    """
    # With Django's default of 300 entries, counts would be lost when hundreds of people sign in.
    options = {"MAX_ENTRIES": 100_000}
    if not redis_url:
        return {"BACKEND": "django.core.cache.backends.locmem.LocMemCache", "OPTIONS": options}
    return {
        "BACKEND": "tournament.site.caches.FallbackCache",
        "LOCATION": redis_url,
        "KEY_PREFIX": SITE_PREFIX,
        "OPTIONS": options,
    }


CACHES = {"default": cache_settings(REDIS_URL)}

# Maximum number of open sockets per address in each process, for visitors without an account.
ANONYMOUS_SOCKETS = ENVIRONMENT.ANONYMOUS_SOCKETS
# Maximum number of simultaneous practice tables for guests (0 for none), and the strength of their
# bots. With `idle`, guests can choose bots that think longer while the machine is not busy.
GUEST_TABLES = ENVIRONMENT.GUEST_TABLES
GUEST_BOTS = ENVIRONMENT.GUEST_BOTS

# Clients with this token may read a process's /metrics.
METRICS_TOKEN = ENVIRONMENT.METRICS_TOKEN

AUTH_USER_MODEL = "tournament.User"
AUTHENTICATION_BACKENDS = ["allauth.account.auth_backends.AuthenticationBackend"]
PASSWORD_HASHERS = ["tournament.people.accounts.hashers.PasswordHasher"]
# Attackers try these words and the site's own names first.
SITE_WORDS = ["lastcard", "card", "ocho", "uno", "wild", "tournament", "organi", "admin"]
SITE_WORDS += ["college", "student", "player", "password"]
LABEL = re.compile("[a-z]{4,}")
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 12},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {
        "NAME": "tournament.people.accounts.passwords.SiteWordsValidator",
        "OPTIONS": {"words": [*SITE_WORDS, *LABEL.findall(" ".join(ALLOWED_HOSTS).lower())]},
    },
]
LOGIN_URL = "account_login"
LOGIN_REDIRECT_URL = "/"
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_ADAPTER = "tournament.people.accounts.adapter.AccountAdapter"
ACCOUNT_FORMS = {
    "login": "tournament.web.forms.accounts.LoginForm",
    "signup": "tournament.web.forms.accounts.SignupForm",
    "request_login_code": "tournament.web.forms.accounts.LoginCodeForm",
    "reset_password": "tournament.web.forms.accounts.ResetCodeForm",
    "reset_password_from_key": "tournament.web.forms.accounts.NewPasswordForm",
    "change_password": "tournament.web.forms.accounts.PasswordChangeForm",
    "set_password": "tournament.web.forms.accounts.FirstPasswordForm",
    "change_email": "tournament.web.forms.accounts.AddressCorrectionForm",
    "add_email": "tournament.web.forms.accounts.NewAddressForm",
}
ACCOUNT_USER_MODEL_USERNAME_FIELD = "username"
ACCOUNT_CHANGE_EMAIL = True
ACCOUNT_SESSION_REMEMBER = True
ACCOUNT_REAUTHENTICATION_REQUIRED = True
ACCOUNT_EMAIL_NOTIFICATIONS = True
ACCOUNT_EMAIL_SUBJECT_PREFIX = ""
# Emails have codes instead of links. A link would open in the email app's browser, which is often
# not the one used to play.
ACCOUNT_EMAIL_VERIFICATION = "mandatory"
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED = True
ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_RESEND = ACCOUNT_EMAIL_VERIFICATION_SUPPORTS_CHANGE = True
ACCOUNT_LOGIN_BY_CODE_ENABLED = True
ACCOUNT_LOGIN_BY_CODE_SUPPORTS_RESEND = True
ACCOUNT_PASSWORD_RESET_BY_CODE_ENABLED = ACCOUNT_LOGIN_ON_PASSWORD_RESET = True
ACCOUNT_EMAIL_VERIFICATION_BY_CODE_TIMEOUT = CODE_SECONDS = 600
ACCOUNT_LOGIN_BY_CODE_TIMEOUT = ACCOUNT_PASSWORD_RESET_BY_CODE_TIMEOUT = CODE_SECONDS
# Guesses are counted by account and network ("key" in people/accounts/limits.py), so that
# strangers cannot lock anyone out. Requested emails are counted there too. serving/flood_gate.py
# slows floods from one address, because allauth's own limit would make a full hall wait.
ACCOUNT_RATE_LIMITS = {
    "login": None,
    "login_failed": "5/300s/key",
    "signup": None,
    "request_login_code": None,
    "reset_password": None,
    "confirm_email": None,
    "reset_password_from_key": "300/m/ip",
    "event_register": "10/m/user",
}
# If true, the admin requires a second factor. An event can also require it from its organizers.
second_factor = ENVIRONMENT.STAFF_SECOND_FACTOR
STAFF_SECOND_FACTOR = HTTPS if second_factor is None else second_factor
MFA_SUPPORTED_TYPES = ["totp", "webauthn", "recovery_codes"]
MFA_TOTP_ISSUER = "Lastcard"
MFA_ADAPTER = "tournament.people.accounts.factors.FactorAdapter"

# The site has at most one issuer of college accounts. It can be set only in the environment.
PASSWORD_SIGN_UP = ENVIRONMENT.PASSWORD_SIGN_UP
OIDC_LABEL = ENVIRONMENT.OIDC_LABEL
OIDC_PROVED_DOMAINS = ENVIRONMENT.OIDC_PROVED_DOMAINS
OIDC_SECOND_FACTOR = ENVIRONMENT.OIDC_SECOND_FACTOR
SOCIALACCOUNT_ADAPTER = "tournament.people.accounts.college.adapter.CollegeAdapter"
SOCIALACCOUNT_STORE_TOKENS = False
SOCIALACCOUNT_EMAIL_AUTHENTICATION_AUTO_CONNECT = True
# In seconds. Kept short, because the request occupies one of the few page threads.
SOCIALACCOUNT_REQUESTS_TIMEOUT = 3


def issuer_settings(issuer: str, client_id: str, secret: str) -> dict[str, object]:
    """Return the issuer in allauth's format, or {} without one."""
    app: dict[str, object] = {"provider_id": "college", "name": "OpenID Connect"}
    app |= {"client_id": client_id, "secret": secret}
    app["settings"] = {"server_url": issuer, "fetch_userinfo": False}
    return {"openid_connect": {"APPS": [app], "OAUTH_PKCE_ENABLED": True}} if issuer else {}


SOCIALACCOUNT_PROVIDERS = issuer_settings(
    ENVIRONMENT.OIDC_ISSUER, ENVIRONMENT.OIDC_CLIENT_ID, ENVIRONMENT.OIDC_CLIENT_SECRET
)

mail_server: dict[str, object] = {"BACKEND": "django.core.mail.backends.console.EmailBackend"}
use_ssl = ENVIRONMENT.EMAIL_USE_SSL or ENVIRONMENT.EMAIL_PORT == 465
if ENVIRONMENT.EMAIL_HOST:
    mail_server = {
        "BACKEND": "django.core.mail.backends.smtp.EmailBackend",
        "OPTIONS": {
            "host": ENVIRONMENT.EMAIL_HOST,
            "port": ENVIRONMENT.EMAIL_PORT,
            "username": ENVIRONMENT.EMAIL_HOST_USER,
            "password": ENVIRONMENT.EMAIL_HOST_PASSWORD,
            "use_tls": ENVIRONMENT.EMAIL_USE_TLS and not use_ssl,
            "use_ssl": use_ssl,
            # In seconds. CLAIM_DURATION in tournament/mail/letters.py must be longer.
            "timeout": 10,
        },
    }
# Django 6.1 reads this setting. For Django 5.2, games/process/next_django.py does.
MAILERS = {"default": mail_server}
# Tasks wait in the database for the worker that `serve` starts (serving/worker.py).
TASKS: dict[str, dict[str, object]] = {
    "default": {
        "BACKEND": "django_tasks_db.DatabaseBackend",
        "QUEUES": ["mail", "default", "forecasts", "reviews"],
    }
}
DEFAULT_FROM_EMAIL = ENVIRONMENT.DEFAULT_FROM_EMAIL

# Push messages reach players who have closed the page (tournament/push/).
PUSH_MESSAGES = ENVIRONMENT.PUSH_MESSAGES
PUSH_SERVICES = ENVIRONMENT.PUSH_SERVICES
VAPID_PRIVATE_KEY = ENVIRONMENT.VAPID_PRIVATE_KEY

# A new language needs a folder in locale/ (CONTRIBUTING.md) and a line in this list.
LANGUAGE_CODE = "en"
LANGUAGES = [("en", "English"), ("bn", "Bengali"), ("hi", "Hindi")]
LOCALE_PATHS = [BASE_DIR / "locale"]
LANGUAGE_COOKIE_NAME = "language"
LANGUAGE_COOKIE_AGE = 365 * 24 * 3600
LANGUAGE_COOKIE_HTTPONLY = True
LANGUAGE_COOKIE_SAMESITE = "Lax"
TIME_ZONE = ENVIRONMENT.TIME_ZONE
USE_I18N = True
USE_TZ = True

STATIC_URL = "static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_DIRS = [BASE_DIR / "static", ("docs", BASE_DIR / "docs" / "img")]
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.FileSystemFinder",
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "tournament.site.web_fonts.FontFinder",
]
WHITENOISE_ALLOW_ALL_ORIGINS = False
WHITENOISE_MIMETYPES = {".webmanifest": "application/manifest+json"}
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "tournament.site.storage.StaticStorage"},
}

CRISPY_ALLOWED_TEMPLATE_PACKS = "bootstrap5"
CRISPY_TEMPLATE_PACK = "bootstrap5"


def origin(issuer: str) -> list[str]:
    return ["{0.scheme}://{0.netloc}".format(urlsplit(issuer))] if issuer else []


CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [SELF],
        "style-src": [SELF],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF],
        "manifest-src": [SELF],
        "media-src": [SELF],
        # The button for college accounts is a form that redirects to the issuer.
        "form-action": [SELF, *origin(ENVIRONMENT.OIDC_ISSUER)],
        "base-uri": [NONE],
        "frame-ancestors": [NONE],
        "object-src": [NONE],
    }
}

SESSION_ENGINE = "tournament.site.sessions"
SESSION_COOKIE_AGE = ENVIRONMENT.KEEP_SESSION_DAYS * 24 * 3600
STAFF_SESSION_SECONDS = DESK_SESSION_SECONDS = 12 * 3600
DEVICE_COOKIE_NAME = "device"
MESSAGES_COOKIE_NAME = "messages"
MESSAGE_STORAGE = "tournament.site.messages.MessageStorage"
SESSION_COOKIE_HTTPONLY = CSRF_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
if HTTPS:
    SESSION_COOKIE_NAME = "__Host-sessionid"
    CSRF_COOKIE_NAME = "__Host-csrftoken"
    LANGUAGE_COOKIE_NAME = "__Host-language"
    DEVICE_COOKIE_NAME = "__Host-device"
    MESSAGES_COOKIE_NAME = "__Host-messages"
    SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = LANGUAGE_COOKIE_SECURE = True
    SECURE_SSL_REDIRECT = True
    SECURE_HSTS_SECONDS = 31_536_000
    SECURE_HSTS_INCLUDE_SUBDOMAINS = ENVIRONMENT.HSTS_SUBDOMAINS
    SECURE_HSTS_PRELOAD = ENVIRONMENT.HSTS_PRELOAD
    # These checks warn about HSTS options that are off. That may be intended, because the options
    # also affect the college's other hosts.
    SILENCED_SYSTEM_CHECKS = ["security.W005", "security.W021"]
    # uvicorn decides whether a request came over HTTPS, and trusts only FORWARDED_ALLOW_IPS.

QUIET = ("django.tasks", "django_tasks", "django_tasks_db", "fontTools")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "text": {
            "()": "tournament.site.logs.LineFormatter",
            "format": "{asctime} {levelname} {name}: {message}",
            "style": "{",
        },
        "json": {"()": "tournament.site.logs.JsonFormatter"},
    },
    "filters": {"outages": {"()": "tournament.site.logs.OutageFilter"}},
    "handlers": {
        "console": {
            "class": "logging.StreamHandler",
            "formatter": ENVIRONMENT.LOG_FORMAT,
            "filters": ["outages"],
        }
    },
    "root": {"handlers": ["console"], "level": ENVIRONMENT.LOG_LEVEL},
    "loggers": {
        # The security log already has the refused requests, without the secret codes in their URLs.
        **{name: {"level": "ERROR"} for name in ("django.request", "django.security.csrf")},
        # These write five lines for each successful task, and a hundred for each PDF.
        **{name: {"level": "WARNING"} for name in QUIET},
    },
}

# Retention of personal data (tournament/privacy/), and the institution that is responsible for it.
INSTITUTION = ENVIRONMENT.INSTITUTION
PRIVACY_CONTACT = ENVIRONMENT.PRIVACY_CONTACT
KEEP_EVENT_DAYS = ENVIRONMENT.KEEP_EVENT_DAYS
KEEP_ACCOUNT_DAYS = ENVIRONMENT.KEEP_ACCOUNT_DAYS
KEEP_SESSION_DAYS = ENVIRONMENT.KEEP_SESSION_DAYS
KEEP_MAIL_DAYS = ENVIRONMENT.KEEP_MAIL_DAYS
KEEP_LOG_DAYS = ENVIRONMENT.KEEP_LOG_DAYS
KEEP_BACKUP_DAYS = ENVIRONMENT.KEEP_BACKUP_DAYS
BACKUP_FOLDER = ENVIRONMENT.BACKUP_FOLDER
