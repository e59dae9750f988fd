"""A person takes along what is kept of them."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, JsonResponse
from django.views.decorators.http import require_safe

from tournament.models import User
from tournament.privacy.queries import own_data


@login_required
@require_safe
def own_data_file(request: HttpRequest) -> JsonResponse:
    """All rows that tell of whoever asks, as a file."""
    assert isinstance(request.user, User)
    return JsonResponse(
        own_data(request.user),
        json_dumps_params={"indent": 1, "ensure_ascii": False},
        headers={"Content-Disposition": 'attachment; filename="lastcard-my-data.json"'},
    )
