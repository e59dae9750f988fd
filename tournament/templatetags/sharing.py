"""What a page tells of itself to whoever shares its address: tags for its head."""

from dataclasses import replace

from django import template
from django.template import Context
from django.urls import reverse

from games.models import Match
from tournament.exports.files.picture import SIZE
from tournament.hall.directory import PersonView
from tournament.hall.sharing import (
    SharePreview,
    shared_event,
    shared_player,
    shared_table,
    table_of,
)
from tournament.models import Event

register = template.Library()
ABOUT = "tournament/common/about.html"
Tags = dict[str, object]


@register.inclusion_tag(ABOUT, takes_context=True)
def about_event(context: Context, event: Event) -> Tags:
    """The winner stands there on pages that name the winner."""
    shared = shared_event(event, context.get("winner"))
    return _told(context, shared, reverse("event-picture", args=[event.slug]))


@register.inclusion_tag(ABOUT, takes_context=True)
def about_player(context: Context, event: Event, player: PersonView) -> Tags:
    picture = reverse("player-picture", args=[event.slug, player.registration.queue_number])
    return _told(context, shared_player(event, player), picture)


@register.inclusion_tag(ABOUT, takes_context=True)
def about_match(context: Context, match: Match, page: str = "") -> Tags:
    """Nothing for a match of no event. `page`: what this page tells of it, before its title."""
    table = table_of(match) if match.occasion else None
    if table is None:
        return {}
    shared = shared_table(table)
    shared = replace(shared, title=f"{page} · {shared.title}") if page else shared
    return _told(context, shared, reverse("match-picture", args=[match.public_id]))


@register.simple_tag
def event_title(match: Match) -> str:
    """The title of the event to which a match belongs, "" for any other."""
    if not match.occasion:
        return ""
    event = Event.objects.filter(stages__rounds__tables__match=match).only("title").first()
    return event.title if event else ""


def _told(context: Context, shared: SharePreview, picture: str) -> Tags:
    """The names are those of Open Graph (ogp.me)."""
    request = context["request"]
    page, image = (request.build_absolute_uri(each) for each in (request.path, picture))
    graph = {
        "type": "website",
        "site_name": "Lastcard",
        "title": shared.title,
        "description": shared.text,
        "url": page,
        "image": image,
        "image:width": SIZE[0],
        "image:height": SIZE[1],
    }
    return {"shared": shared, "graph": graph, "card": "summary_large_image"}
