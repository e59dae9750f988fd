"""Pages about rules, generated from the game engine's rule sets."""

from dataclasses import dataclass

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.text import slugify
from django.views.decorators.http import require_safe

from games.rules.ruleset import rulesets
from games.rules.ruleset.rulesets import RuleSet
from games.rules.words import explain
from tournament.events.spectator_texts import describe_replays, describe_viewers
from tournament.results.queries import rules_of
from tournament.rulings.texts import rulings_text
from tournament.web.pages.site.shared import event_or_404


@dataclass(frozen=True)
class RulesSection:
    """A section of a page about rules.

    `anchor` is the URL fragment that links to it.
    """

    title: str
    anchor: str
    paragraphs: list[str]
    items: list[explain.Item]


@require_safe
def rule_sets(request: HttpRequest) -> HttpResponse:
    """List all rule sets."""
    samples = [(rules, rules.pack.sample) for rules in rulesets.RULE_SETS.values()]
    return render(request, "tournament/rules/rule_sets.html", {"rule_sets": samples})


@require_safe
def rules(request: HttpRequest, ruleset: str) -> HttpResponse:
    """Show a rule set with the default of every option."""
    chosen = rulesets.RULE_SETS.get(ruleset)
    if chosen is None:
        raise Http404
    return render(request, "tournament/rules/rules.html", _build_page(chosen))


@require_safe
def event_rules(request: HttpRequest, slug: str) -> HttpResponse:
    """Show the event's rules, with the organizers' changes."""
    event = event_or_404(request, slug)
    context = {
        "event": event,
        "viewers_text": describe_viewers(event),
        "replays_text": describe_replays(event),
        "rulings_text": rulings_text(event),
        **_build_page(rules_of(event)),
    }
    return render(request, "tournament/rules/event_rules.html", context)


def _build_page(rules: RuleSet) -> dict[str, object]:
    return {
        "rules": rules,
        "parts": [_build_section(section) for section in explain.rules_page(rules)],
        "changed": explain.house_rules(rules),
        "hand": rules.pack.sample,
    }


def _build_section(section: explain.Section) -> RulesSection:
    return RulesSection(section.title, slugify(section.title), section.paragraphs, section.items)
