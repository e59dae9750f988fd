"""Site settings for tests: a temporary folder, a fast password hasher, plain static files."""

import atexit
import os
import shutil
import tempfile

# Set before the real settings are read, because tests must not use the var/ folder of a real site.
SCRATCH = tempfile.mkdtemp(prefix="lastcard-test-")
atexit.register(shutil.rmtree, SCRATCH, ignore_errors=True)
os.environ["LASTCARD_VAR"] = SCRATCH
# All workers share one Redis, where a different key makes each worker a separate site.
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
# Emails are sent immediately. Tests of the queue restore the real backend.
MAILERS = {"default": {"BACKEND": "django.core.mail.backends.locmem.EmailBackend"}}
TASKS = {
    "default": {
        "BACKEND": "tests.tasks.ImmediateTaskBackend",
        "QUEUES": ["mail", "default", "forecasts", "reviews"],
    }
}
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    # The fixture `live_site` restores the real storage, so that browsers get hashed names.
    "staticfiles": {"BACKEND": "django.contrib.staticfiles.storage.StaticFilesStorage"},
}
(VAR_DIR / "static").mkdir()

if DATABASES["default"]["ENGINE"].endswith("sqlite"):
    # A file, because the site's threads and the test must see each other's commits.
    DATABASES["default"]["TEST"] = {"NAME": str(VAR_DIR / "test.sqlite3")}
    # The data need not survive a crash. Tests that kill processes use the real settings.
    DATABASES["default"]["OPTIONS"]["init_command"] += "PRAGMA synchronous=OFF;"

if REDIS_URL and (worker := os.environ.get("PYTEST_XDIST_WORKER")):
    # Each worker needs its own Redis database, because clearing a cache flushes the whole database.
    address = REDIS_URL.rpartition("/")[0]
    CACHES["default"]["LOCATION"] = f"{address}/{1 + int(worker.removeprefix('gw'))}"
