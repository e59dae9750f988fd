"""The API's OpenAPI document, its description for people, and its 404 response."""

from typing import Any

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils.cache import patch_cache_control
from django.views.decorators.http import require_safe

from tournament.api.v1 import api


@require_safe
def schema(_request: HttpRequest) -> HttpResponse:
    """Serve the OpenAPI document of v1."""
    answer = JsonResponse(api.get_openapi_schema())
    patch_cache_control(answer, public=True, max_age=3600)
    answer.headers["Access-Control-Allow-Origin"] = "*"
    return answer


@require_safe
def unknown_endpoint(_request: HttpRequest, rest: str) -> HttpResponse:
    """Return a JSON response with status 404, for unknown API URLs."""
    return JsonResponse({"detail": f"/api/v1/{rest} does not exist."}, status=404)


@require_safe
def describe_api(request: HttpRequest) -> HttpResponse:
    """Show a page that describes every API endpoint, based on the OpenAPI document."""
    document: Any = api.get_openapi_schema()
    operations = [
        {"call": f"GET {path}", **methods["get"], "parameters": _list_query_names(methods["get"])}
        for path, methods in document["paths"].items()
    ]
    return render(request, "tournament/api/api.html", {"operations": operations})


def _list_query_names(operation: Any) -> list[str]:
    return [each["name"] for each in operation["parameters"] if each["in"] == "query"]
