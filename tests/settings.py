"""Site settings for tests: a scratch folder, a cheap password hasher, plain static files."""

import atexit
import os
import shutil
import tempfile

# Set before the real settings are read, which must not touch the var/ folder of a running site.
SCRATCH = tempfile.mkdtemp(prefix="lastcard-test-")
atexit.register(shutil.rmtree, SCRATCH, ignore_errors=True)
os.environ["LASTCARD_VAR"] = SCRATCH
# Each worker has its own database, but all share one Redis, where each must be a separate site.
# Workers inherit the settings of the process that starts them.
os.environ["SECRET_KEY"] = f"for {os.environ.get('PYTEST_XDIST_WORKER', 'one')}, " * 8
for name in (
    "EMAIL_HOST",
    "HTTPS",
    "ALLOWED_HOSTS",
    "SITE_ADDRESS",
    "TIME_ZONE",
    "DEBUG",
    "STAFF_SECOND_FACTOR",
):
    os.environ.pop(name, None)

from tournament.settings import *  # noqa: E402, F403
from tournament.settings import CACHES, DATABASES, REDIS_URL, VAR_DIR  # noqa: E402

PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
# Emails are sent within the request. Tests of the queue restore the real backend.
MAILERS = {"default": {"BACKEND": "django.core.mail.backends.locmem.EmailBackend"}}
TASKS = {
    "default": {
        "BACKEND": "tests.tasks.ImmediateTaskBackend",
        "QUEUES": ["mail", "default", "forecasts", "reviews"],
    }
}
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    # The `live_site` fixture restores the real storage, so browsers get hashed names.
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
(VAR_DIR / "static").mkdir()

if DATABASES["default"]["ENGINE"].endswith("sqlite"):
    # A file, because a server thread and the test must see each other's commits as in production.
    DATABASES["default"]["TEST"] = {"NAME": str(VAR_DIR / "test.sqlite3")}
    # The data need not survive a crash. Tests that end processes run them with the real settings.
    DATABASES["default"]["OPTIONS"]["init_command"] += "PRAGMA synchronous=OFF;"

if REDIS_URL and (worker := os.environ.get("PYTEST_XDIST_WORKER")):
    # Clearing a cache flushes its whole database.
    address = REDIS_URL.rpartition("/")[0]
    CACHES["default"]["LOCATION"] = f"{address}/{1 + int(worker.removeprefix('gw'))}"
