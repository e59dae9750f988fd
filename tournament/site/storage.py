"""Storage and server for static files with hashed names, some of which are bundled."""

import json
import os
import tempfile
from collections.abc import Iterator
from functools import cached_property
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.files.base import ContentFile
from django.core.files.storage import InMemoryStorage
from django.http import HttpRequest, HttpResponse
from whitenoise.compress import Compressor
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

from tournament.site.bundles import SCRIPTS, SHEETS, ReadSource, bundle, bundle_later_modules

# Maps each file name to the storage that has the file, and the file's name in that storage.
StoredFiles = dict[str, tuple[Any, str]]


class StaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    """Storage that a running site can use while `collectstatic` fills it.

    Files are replaced as a whole and are never missing. The manifest is written last. It keeps
    entries of earlier versions, because processes of those versions may restart during an update.
    """

    support_js_module_import_aggregation = True
    hashed_files: dict[str, str]
    # Files to delete after processing if the manifest does not list them, or None at other times.
    _discarded: set[str] | None = None

    def post_process(
        self, paths: StoredFiles, dry_run: bool = False, **options: object
    ) -> Iterator[tuple[str, str, bool]]:
        earlier = self.load_manifest()[0]
        self._discarded = discarded = set[str]()
        try:
            yield from super().post_process(paths | _bundle_files(paths), dry_run, **options)
        finally:
            self._discarded = None
        if not dry_run:
            self.hashed_files = earlier | self.hashed_files
            self.save_manifest()
            for name in discarded.difference(self.hashed_files.values()):
                self.delete(name)

    def save_manifest(self) -> None:
        if self._discarded is not None:
            return  # The compressed files have not been written yet.
        listed = json.dumps(sorted(self.hashed_files.items())).encode()
        self.manifest_hash = self.file_hash(None, ContentFile(listed))
        content = {
            "paths": self.hashed_files,
            "version": self.manifest_version,
            "hash": self.manifest_hash,
        }
        self._save(self.manifest_name, ContentFile(json.dumps(content).encode()))

    def delete(self, name: str) -> None:
        if self._discarded is None:
            super().delete(name)
        else:
            self._discarded.add(name)

    def _save(self, name: str, content: Any) -> str:
        path = self.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        _replace_file(path, b"".join(content.chunks()))
        return str(os.path.relpath(path, self.location))

    def create_compressor(self, **options: Any) -> Compressor:
        return ReplacingCompressor(**options)

    def url(self, name: str, force: bool = False) -> str:
        """Return the URL of a file. Each URL is computed only once per process."""
        if (address := self._cached_urls.get((name, force))) is None:
            address = self._cached_urls[name, force] = super().url(name, force)
        return address

    @cached_property
    def _cached_urls(self) -> dict[tuple[str, bool], str]:
        return {}


class ReplacingCompressor(Compressor):  # type: ignore[misc]
    def write_data(self, path: str, data: bytes, suffix: str, stat_result: os.stat_result) -> str:
        name = path + suffix
        _replace_file(name, data)
        os.utime(name, (stat_result.st_atime, stat_result.st_mtime))
        return name


def _replace_file(path: str, data: bytes) -> None:
    """Replace a file atomically.

    The new file is first written outside the folder, because starting processes list the folder.
    """
    descriptor, part = tempfile.mkstemp(dir=Path(settings.STATIC_ROOT).parent, prefix=".static-")
    try:
        with open(descriptor, "wb") as file:
            file.write(data)
        os.chmod(part, 0o644)
        os.replace(part, path)
    except BaseException:
        os.unlink(part)
        raise


def _bundle_files(paths: StoredFiles) -> StoredFiles:
    """Return the bundles that replace files made from several sources."""
    storage = InMemoryStorage()
    texts = dict[str, str]()
    for name in (*SCRIPTS, *SHEETS):
        if name in paths:
            texts |= _bundle_file(name, lambda needed: _read_source(paths, needed))
    for name, text in texts.items():
        storage.save(name, ContentFile(text.encode()))
    return {name: (storage, name) for name in texts}


def _bundle_file(name: str, read: ReadSource) -> dict[str, str]:
    """Return the bundle of a file and the bundles of modules that it loads later, by name."""
    later_bundles = bundle_later_modules(name, read) if name.endswith(".js") else {}
    return {name: bundle(name, read), **later_bundles}


def _read_source(paths: StoredFiles, name: str) -> str:
    storage, path = paths[name]
    with storage.open(path) as file:
        return str(file.read().decode())


class StaticFilesMiddleware(WhiteNoiseMiddleware):  # type: ignore[misc]
    """Static file server that also serves files that are newer than its process.

    During an update, processes are replaced one at a time, and pages of the new version may request
    their files from old processes. WhiteNoise lists the files only at startup.

    Files are sent as a whole. WhiteNoise's own response is an iterator for WSGI servers. Under
    ASGI, Django would warn about it, read all of it, and leave the file open.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        root = os.path.join(os.path.abspath(self.static_root), "")
        self.directories: list[tuple[str, str]] = [(root, self.static_prefix)]

    def __call__(self, request: HttpRequest) -> Any:
        path = request.path_info
        static_file = None if self.autorefresh else self.files.get(path)
        static_file = static_file or self.find_file(path)
        if static_file is None:
            return self.get_response(request)
        self.files[path] = static_file
        try:
            return self.serve(static_file, request)
        except FileNotFoundError:
            del self.files[path]
            return self.get_response(request)

    @staticmethod
    def serve(static_file: StaticFile, request: HttpRequest) -> HttpResponse:
        whitenoise_response = static_file.get_response(request.method, request.META)
        response = HttpResponse(
            status=int(whitenoise_response.status), headers=dict(whitenoise_response.headers)
        )
        if whitenoise_response.file:
            with whitenoise_response.file as file:
                response.content = file.read()
            # The file may have been replaced since its size was read.
            response["Content-Length"] = str(len(response.content))
        return response
