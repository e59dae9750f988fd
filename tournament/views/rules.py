"""Rules pages, made from the rule set that the engine plays by."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.rules import rulesets
from tournament.views.shared import event_or_404


@require_safe
def rule_sets(request: HttpRequest) -> HttpResponse:
    return render(request, "tournament/rule_sets.html", {"rule_sets": rulesets.RULE_SETS.values()})


@require_safe
def rules(request: HttpRequest, ruleset: str) -> HttpResponse:
    """The rules of one of the rule sets, all options at their defaults."""
    chosen = rulesets.RULE_SETS.get(ruleset)
    if chosen is None:
        raise Http404
    return render(
        request,
        "tournament/rules.html",
        {"rules": chosen, "sections": _sections(chosen)},
    )


@require_safe
def event_rules(request: HttpRequest, slug: str) -> HttpResponse:
    """The rules as this event plays them, with what the organizers changed."""
    event = event_or_404(request, slug)
    chosen = rulesets.make(event.ruleset, event.options)
    return render(
        request,
        "tournament/event_rules.html",
        {"event": event, "rules": chosen, "sections": _sections(chosen)},
    )


def _sections(chosen: rulesets.RuleSet) -> list[Any]:
    from games.rules import explain

    return explain.rules_page(chosen)
