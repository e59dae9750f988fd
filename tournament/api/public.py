"""Common behaviour of all API responses: rate limits, caching and one error format."""

import time
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response, patch_cache_control, set_response_etag
from ninja import NinjaAPI
from ninja.throttling import BaseThrottle

from tournament.site.middleware import asked_in_minute

PER_MINUTE = 300
# An answer may be cached for this many seconds, like a page that is not reloaded.
FRESH = 5


class PerHousehold(BaseThrottle):
    """Request limit per minute and address; no header can change the address that is counted."""

    def allow_request(self, request: HttpRequest) -> bool:
        return asked_in_minute(request, "api") <= PER_MINUTE

    def wait(self) -> float:
        return 60 - time.time() % 60


class PublicAPI(NinjaAPI):
    """API whose responses any cache may keep briefly and any web page may read."""

    def create_response(self, request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        response = super().create_response(request, *args, **kwargs)
        response.headers["Access-Control-Allow-Origin"] = "*"
        if response.status_code != 200:
            return response
        patch_cache_control(response, public=True, max_age=FRESH)
        set_response_etag(response)
        etag = response.headers["ETag"]
        kept = get_conditional_response(request, etag=etag, response=response)
        assert isinstance(kept, HttpResponse)
        return kept
