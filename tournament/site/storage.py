"""Static files with the hash of their content in the name, also in ES imports; some bundled."""

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

from tournament.site.bundles import SCRIPTS, SHEETS, Read, bundle, bundle_later_modules

# By a static file's name the storage that has its source, and its name there.
Found = dict[str, tuple[Any, str]]


class StaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    support_js_module_import_aggregation = True

    def post_process(
        self, paths: Found, dry_run: bool = False, **options: object
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


def _bundle_files(paths: Found) -> Found:
    """Return bundles in place of the files that are bundled from several others."""
    made = InMemoryStorage()
    texts = dict[str, str]()
    for name in (*SCRIPTS, *SHEETS):
        if name in paths:
            texts |= _bundle_file(name, lambda needed: _read_source(paths, needed))
    for name, text in texts.items():
        made.save(name, ContentFile(text.encode()))
    return {name: (made, name) for name in texts}


def _bundle_file(name: str, read: Read) -> dict[str, str]:
    """Return the bundle and the bundles that it loads later, by name."""
    later = bundle_later_modules(name, read) if name.endswith(".js") else {}
    return {name: bundle(name, read), **later}


def _read_source(paths: Found, name: str) -> str:
    storage, path = paths[name]
    with storage.open(path) as file:
        return str(file.read().decode())


class StaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]
    """Static file server that also serves files newer than this process, each as a whole.

    During an update, processes are replaced one after the other, and pages of the new version
    request their files from the old one. WhiteNoise knows only the files that existed when it
    started. Its own response is an iterator that only a WSGI server knows. Under ASGI, Django
    warns about it, reads everything anyway, and leaves the file open.
    """

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        root = os.path.join(os.path.abspath(self.static_root), "")
        self.directories: list[tuple[str, str]] = [(root, self.static_prefix)]

    def __call__(self, request: HttpRequest) -> Any:
        if request.path_info not in self.files and (found := self.find_file(request.path_info)):
            self.files[request.path_info] = found
        return super().__call__(request)

    @staticmethod
    def serve(static_file: StaticFile, request: HttpRequest) -> HttpResponse:
        found = static_file.get_response(request.method, request.META)
        response = HttpResponse(status=int(found.status), headers=dict(found.headers))
        if found.file:
            with found.file as file:
                response.content = file.read()
        return response
