"""Choosing a language, and the script texts in it: the texts that `gettext` in text.js uses."""

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
from tournament.site.catalogues import texts_of_table
from tournament.site.catalogues import version as current_version

YEAR = 365 * 24 * 3600


@csrf_exempt
def choose(request: HttpRequest) -> HttpResponseBase:
    """Save the reader's language.

    The form is on pages that visitors share, so it has no CSRF token.

    Raises PermissionDenied for a form on another site, which browsers report.
    """
    if request.headers.get("Sec-Fetch-Site", "same-origin") != "same-origin":
        raise PermissionDenied
    return set_language(request)


class TableCatalog(JavaScriptCatalog):
    """Catalogue of the texts that a table loads first."""

    def get_catalog(self) -> dict[str, list[str] | str]:
        return texts_of_table(super().get_catalog())


@require_safe
@gzip_page
def catalogue(request: HttpRequest, language: str, version: str) -> HttpResponseBase:
    """Serve a language's script texts, cacheable for a year at the current version's address.

    With "?table", return only those that a table loads first.

    Raises Http404 for an unknown language.
    """
    if language not in dict(settings.LANGUAGES):
        raise Http404
    with translation.override(language):
        served = TableCatalog if "table" in request.GET else JavaScriptCatalog
        response = served.as_view(packages=["tournament"])(request)
    if isinstance(response, HttpResponse) and "br" in request.headers.get("Accept-Encoding", ""):
        _compress_response(response)
    # A page of the edition before must not fix these words to its address.
    if version == current_version(language):
        patch_cache_control(response, public=True, immutable=True, max_age=YEAR)
    else:
        patch_cache_control(response, no_cache=True)
    return response


def _compress_response(response: HttpResponse) -> None:
    """Compress with Brotli: a fifth smaller than gzip for letters of three bytes."""
    response.content = _compress(response.content)
    response.headers["Content-Encoding"] = "br"
    patch_vary_headers(response, ("Accept-Encoding",))


# Best compression takes a moment, and each language has one catalogue.
@process_cache(8)
def _compress(content: bytes) -> bytes:
    compressed: bytes = brotli.compress(content)
    return compressed
