"""Static files: the hash of their content in the name, ES module imports included."""

from functools import cached_property

from django.http import HttpRequest, HttpResponse
from whitenoise.middleware import WhiteNoiseMiddleware
from whitenoise.responders import StaticFile
from whitenoise.storage import CompressedManifestStaticFilesStorage


class StaticStorage(CompressedManifestStaticFilesStorage):  # type: ignore[misc]
    support_js_module_import_aggregation = True

    def url(self, name: str, force: bool = False) -> str:
        """As the manifest says, which holds for as long as the process: put together once."""
        if (address := self._addresses.get((name, force))) is None:
            address = self._addresses[name, force] = super().url(name, force)
        return address

    @cached_property
    def _addresses(self) -> dict[tuple[str, bool], str]:
        return {}


class StaticFiles(WhiteNoiseMiddleware):  # type: ignore[misc]
    """Answers with a file as a whole.

    WhiteNoise's own answer reads in steps that only a WSGI server knows; under ASGI Django warns
    of it, reads all the same, and leaves the file open.
    """

    @staticmethod
    def serve(static_file: StaticFile, request: HttpRequest) -> HttpResponse:
        found = static_file.get_response(request.method, request.META)
        response = HttpResponse(status=int(found.status), headers=dict(found.headers))
        if found.file:
            with found.file as file:
                response.content = file.read()
        return response
