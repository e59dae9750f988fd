"""The public privacy notice, and the download of a user's own data."""

from django.conf import settings
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournament.models import User
from tournament.privacy.notice import build_notice
from tournament.privacy.own_data import collect_own_data


@require_safe
def privacy(request: HttpRequest) -> HttpResponse:
    """Show which data is stored, why, for how long, and who can see it."""
    context = {
        "parts": build_notice(),
        "institution": settings.INSTITUTION,
        "contact": settings.PRIVACY_CONTACT,
        "backup_days": settings.KEEP_BACKUP_DAYS,
    }
    return render(request, "tournament/privacy/privacy.html", context)


@login_required
@require_safe
def own_data_file(request: HttpRequest) -> JsonResponse:
    """Return a file with all data that is stored about the user."""
    assert isinstance(request.user, User)
    return JsonResponse(
        collect_own_data(request.user),
        json_dumps_params={"indent": 1, "ensure_ascii": False},
        headers={"Content-Disposition": 'attachment; filename="lastcard-my-data.json"'},
    )
