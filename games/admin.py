"""Read-only admin pages for organizers. They never show the cards of a hand in play."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy

from games.models import Hand, LoggedAction, Match, Reaction, Seat

DELAYED_VIEWERS = (Match.Viewers.DELAYED, Match.Viewers.HAND)


class ReadOnly:
    """Admin mixin that does not allow objects to be added, changed or deleted.

    Only the services change game data, because they check and log each change.
    """

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Allow only lookups by the filters shown on the page.

        Otherwise a URL could query fields that no page shows.
        """
        return lookup.partition("__")[0] in getattr(self, "list_filter", ())


class SeatInline(ReadOnly, admin.TabularInline):  # type: ignore[type-arg]
    model = Seat
    fields = ["number", "name", "user", "bot", "seen_at"]


class HandInline(ReadOnly, admin.TabularInline):  # type: ignore[type-arg]
    model = Hand
    fields = ["number", "dealer", "points", "winner", "void", "void_reason", "commitment"]
    show_change_link = True


@admin.register(Match)
class MatchAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["__str__", "ruleset", "phase", "is_paused", "version", "started_at", "ended_at"]
    list_filter = ["phase", "practice", "ruleset"]
    search_fields = ["title", "public_id", "seats__name"]
    inlines = [SeatInline, HandInline]
    # `state` contains all cards, and `race` contains claims that are still secret.
    exclude = ["state", "race", "links"]

    @admin.display(boolean=True, description=gettext_lazy("paused"))
    def is_paused(self, match: Match) -> bool:
        return match.paused


@admin.register(Hand)
class HandAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["__str__", "dealt_at", "ended_at", "winner", "points", "void"]
    list_filter = ["void"]
    list_select_related = ["match"]
    # These fields would reveal the cards of a hand in play. The hand record shows them later.
    exclude = ["deals", "deck", "nonce", "opening", "final"]


@admin.register(LoggedAction)
class LoggedActionAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["__str__", "player", "action", "auto", "version", "at"]
    list_select_related = ["hand__match"]
    # `events` contains details that only one player may see. `chance` reveals the draw pile.
    exclude = ["events", "chance"]

    def get_queryset(self, request: HttpRequest) -> QuerySet[LoggedAction]:
        """Leave out the actions of hands that viewers may not see yet.

        If viewers see a match with a delay, its actions are hidden until the hand is over.
        """
        hidden = {"hand__ended_at": None, "hand__match__viewers__in": DELAYED_VIEWERS}
        actions: QuerySet[LoggedAction] = super().get_queryset(request).exclude(**hidden)
        return actions


@admin.register(Reaction)
class ReactionAdmin(ReadOnly, admin.ModelAdmin):  # type: ignore[type-arg]
    list_display = ["seat", "match", "shown", "at"]
    list_select_related = ["seat__match"]

    @admin.display(description=gettext_lazy("match"))
    def match(self, reaction: Reaction) -> Match:
        return reaction.seat.match
