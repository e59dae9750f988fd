"""Addresses of a match's pages."""

from django.urls import reverse

from games.models import Match


def list_page_addresses(match: Match) -> list[str]:
    numbered = {"public_id": match.public_id, "number": 1}
    return [
        reverse("games:table", args=[match.public_id]),
        reverse("games:result", args=[match.public_id]),
        reverse("games:replay", kwargs=numbered),
        reverse("games:record", kwargs=numbered),
    ]
