"""Views to choose the language, and to serve the message catalogues for scripts."""

import brotli
from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.utils import translation
from django.utils.cache import patch_cache_control, patch_vary_headers
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import require_safe
from django.views.i18n import JavaScriptCatalog, set_language

from games.process import process_cache
from tournament.site.catalogues import catalogue_version, select_table_texts

YEAR_SECONDS = 365 * 24 * 3600


@csrf_exempt
def choose_language(request: HttpRequest) -> HttpResponseBase:
    """Save the visitor's language.

    The form is on cached pages that visitors share, so it has no CSRF token. Raises
    PermissionDenied if the browser reports that the form is on another site.
    """
    if request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
        raise PermissionDenied
    return set_language(request)


class TableCatalog(JavaScriptCatalog):
    """Catalogue with only the texts that a table needs first."""

    def get_catalog(self) -> dict[str, list[str] | str]:
        return select_table_texts(super().get_catalog())


@require_safe
@gzip_page
def catalogue(request: HttpRequest, language: str, version: str) -> HttpResponseBase:
    """Serve the message catalogue for scripts.

    If the URL has the current version, the response can be cached for a year. The query parameter
    `table` limits it to the texts that a table needs first. Raises Http404 for an unknown language.
    """
    if language not in dict(settings.LANGUAGES):
        raise Http404
    with translation.override(language):
        view = TableCatalog if "table" in request.GET else JavaScriptCatalog
        response = view.as_view(packages=["tournament"])(request)
    if isinstance(response, HttpResponse) and "br" in request.headers.get("Accept-Encoding", ""):
        _compress_response(response)
    # Pages of the previous version must not cache these texts for a year.
    if version == catalogue_version(language):
        patch_cache_control(response, public=True, immutable=True, max_age=YEAR_SECONDS)
    else:
        patch_cache_control(response, no_cache=True)
    return response


def _compress_response(response: HttpResponse) -> None:
    """Compress the response with Brotli.

    For Bengali and Hindi, the result is a fifth smaller than with gzip.
    """
    response.content = _compress(response.content)
    response.headers["Content-Encoding"] = "br"
    patch_vary_headers(response, ("Accept-Encoding",))


# The best compression is slow, so each catalogue is compressed only once.
@process_cache(8)
def _compress(content: bytes) -> bytes:
    compressed: bytes = brotli.compress(content)
    return compressed
