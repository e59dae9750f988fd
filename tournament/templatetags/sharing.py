"""Meta tags for link previews."""

from dataclasses import replace

from django import template
from django.template import Context
from django.urls import reverse

from games.models import Match
from games.rules.ruleset.rulesets import RuleSet
from tournament.hall.directory import PersonView
from tournament.hall.sharing import (
    SharePreview,
    find_public_table,
    make_event_preview,
    make_leaderboard_preview,
    make_player_preview,
    make_table_preview,
)
from tournament.hall.site_previews import (
    make_api_preview,
    make_home_preview,
    make_practice_preview,
    make_privacy_preview,
    make_rule_sets_preview,
    make_rules_preview,
)
from tournament.models import Event
from tournament.pure.files.picture import SIZE
from tournament.site.canonical import canonical_address
from tournament.standings.rows import Leaderboard

register = template.Library()
ABOUT = "tournament/common/about.html"
Tags = dict[str, object]


@register.inclusion_tag(ABOUT, takes_context=True)
def event_tags(context: Context, event: Event) -> Tags:
    """Return the preview tags of an event, which name the winner if the page does."""
    shared = make_event_preview(event, context.get("winner"))
    return _build_tags(context, shared, reverse("event-picture", args=[event.slug]))


@register.inclusion_tag(ABOUT, takes_context=True)
def player_tags(context: Context, event: Event, player: PersonView) -> Tags:
    picture = reverse("player-picture", args=[event.slug, player.registration.queue_number])
    return _build_tags(context, make_player_preview(event, player), picture)


@register.inclusion_tag(ABOUT, takes_context=True)
def match_tags(context: Context, match: Match, page: str = "") -> Tags:
    """Return the preview tags of an event's match, or {} for any other match.

    `page` is the page's own title, which precedes the match's title.
    """
    table = find_public_table(match) if match.occasion else None
    if table is None:
        return {}
    shared = make_table_preview(table)
    shared = replace(shared, title=f"{page} · {shared.title}") if page else shared
    return _build_tags(context, shared, reverse("match-picture", args=[match.public_id]))


@register.inclusion_tag(ABOUT, takes_context=True)
def leaderboard_tags(context: Context, board: Leaderboard) -> Tags:
    picture = reverse("leaderboard-picture", args=[board.event.slug])
    if board.stage:
        picture += f"?stage={board.stage.number}"
    return _build_tags(context, make_leaderboard_preview(board), picture)


@register.inclusion_tag(ABOUT, takes_context=True)
def home_tags(context: Context) -> Tags:
    return _build_tags(context, make_home_preview(), reverse("home-picture"))


@register.inclusion_tag(ABOUT, takes_context=True)
def practice_tags(context: Context) -> Tags:
    return _build_tags(context, make_practice_preview(), reverse("practice-picture"))


@register.inclusion_tag(ABOUT, takes_context=True)
def rule_sets_tags(context: Context) -> Tags:
    return _build_tags(context, make_rule_sets_preview(), reverse("rule-sets-picture"))


@register.inclusion_tag(ABOUT, takes_context=True)
def rules_tags(context: Context, rules: RuleSet) -> Tags:
    return _build_tags(
        context, make_rules_preview(rules), reverse("rules-picture", args=[rules.key])
    )


@register.inclusion_tag(ABOUT, takes_context=True)
def programs_tags(context: Context) -> Tags:
    return _build_tags(context, make_api_preview(), reverse("home-picture"))


@register.inclusion_tag(ABOUT, takes_context=True)
def privacy_tags(context: Context) -> Tags:
    return _build_tags(context, make_privacy_preview(), reverse("home-picture"))


@register.simple_tag
def event_of(match: Match) -> Event | None:
    """Return the event of a match, with only the fields that the page's head needs, or None."""
    if not match.occasion:
        return None
    events = Event.objects.filter(stages__rounds__tables__match=match)
    return events.only("title", "state", "rehearsal_of").first()


@register.simple_tag
def event_title(match: Match) -> str:
    """Return the title of the match's event, or "" without an event."""
    event = event_of(match)
    return event.title if event else ""


@register.inclusion_tag("includes/canonical.html", takes_context=True)
def canonical_link(context: Context) -> Tags:
    """Return the canonical URL of the page, or "" if it is not public."""
    request = context.get("request")
    address = canonical_address(request) if request else ""
    return {"canonical": address if address and _is_page_public(context) else ""}


def _is_page_public(context: Context) -> bool:
    """Return whether the page's match or event is public.

    Practice matches, drafts and rehearsals are not public.
    """
    event, match = context.get("event"), context.get("match")
    if isinstance(match, Match) and not isinstance(event, Event):
        event = event_of(match)
        return event is not None and event.public
    return not isinstance(event, Event) or event.public


def _build_tags(context: Context, shared: SharePreview, picture: str) -> Tags:
    """Return the template context for the preview tags (https://ogp.me)."""
    request = context["request"]
    address = canonical_address(request) or request.path
    page, image = (request.build_absolute_uri(each) for each in (address, picture))
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
