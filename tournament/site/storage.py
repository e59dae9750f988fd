"""Static files with a content hash in their names and in their imports, and bundles of some."""

import os
from collections.abc import Iterator
from functools import cached_property
from typing import Any

from django.core.files.base import ContentFile
from django.core.files.storage import InMemoryStorage
from django.http import HttpRequest, HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile
from whitenoise.storage import CompressedManifestStaticFilesStorage

from tournament.site.bundles import SCRIPTS, SHEETS, ReadSource, bundle, bundle_later_modules

# Maps the name of each static file to the storage that contains it and its name there.
StoredFiles = dict[str, tuple[Any, str]]


class StaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    support_js_module_import_aggregation = True

    def post_process(
        self, paths: StoredFiles, dry_run: bool = False, **options: object
    ) -> Iterator[tuple[str, str, bool]]:
        yield from super().post_process(paths | _bundle_files(paths), dry_run, **options)

    def url(self, name: str, force: bool = False) -> str:
        """Return the address from the manifest, computed once per process."""
        if (address := self._addresses.get((name, force))) is None:
            address = self._addresses[name, force] = super().url(name, force)
        return address

    @cached_property
    def _addresses(self) -> dict[tuple[str, bool], str]:
        return {}


def _bundle_files(paths: StoredFiles) -> StoredFiles:
    """Return the bundles that replace files combined from several sources."""
    storage = InMemoryStorage()
    texts = dict[str, str]()
    for name in (*SCRIPTS, *SHEETS):
        if name in paths:
            texts |= _bundle_file(name, lambda needed: _read_source(paths, needed))
    for name, text in texts.items():
        storage.save(name, ContentFile(text.encode()))
    return {name: (storage, name) for name in texts}


def _bundle_file(name: str, read: ReadSource) -> dict[str, str]:
    """Return the bundle of a file, and the bundles that the file loads later, by name."""
    later_bundles = bundle_later_modules(name, read) if name.endswith(".js") else {}
    return {name: bundle(name, read), **later_bundles}


def _read_source(paths: StoredFiles, name: str) -> str:
    storage, path = paths[name]
    with storage.open(path) as file:
        return str(file.read().decode())


class StaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]
    """Static file server that also serves files newer than this process.

    During an update, processes are replaced one at a time, and pages of the new version request
    their files from old processes. WhiteNoise only knows the files that existed when it started.
    Each file is sent as a whole, because WhiteNoise's own response is an iterator for WSGI servers.
    Under ASGI, Django warns about the iterator, reads it completely and leaves the file open.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        root = os.path.join(os.path.abspath(self.static_root), "")
        self.directories: list[tuple[str, str]] = [(root, self.static_prefix)]

    def __call__(self, request: HttpRequest) -> Any:
        if request.path_info not in self.files and (file := self.find_file(request.path_info)):
            self.files[request.path_info] = file
        return super().__call__(request)

    @staticmethod
    def serve(static_file: StaticFile, request: HttpRequest) -> HttpResponse:
        whitenoise_response = static_file.get_response(request.method, request.META)
        response = HttpResponse(
            status=int(whitenoise_response.status), headers=dict(whitenoise_response.headers)
        )
        if whitenoise_response.file:
            with whitenoise_response.file as file:
                response.content = file.read()
        return response
