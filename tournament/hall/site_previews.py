"""Previews of links to pages that do not belong to an event."""

from django.utils.translation import gettext as _

from games.rules.ruleset.rulesets import RULE_SETS, RuleSet
from tournament.hall.sharing import SharePreview
from tournament.pure.files.picture import Picture
from tournament.pure.words import join_words


def make_home_preview() -> SharePreview:
    title, text = _("Card tournaments"), _("Sign up, play live, follow the leaderboard.")
    about = _(
        "College UNO and Ocho tournaments: sign up, play live in the browser, follow "
        "the leaderboard."
    )
    return SharePreview(title, about, Picture("", title, (text,)))


def make_practice_preview() -> SharePreview:
    title, text = _("Practice with bots"), _("Practice matches don’t count.")
    about = _(
        "A practice table works just like a tournament table, but with two minutes for "
        "every turn. Nothing here counts."
    )
    return SharePreview(title, about, Picture("", title, (text,)))


def make_rule_sets_preview() -> SharePreview:
    title, names = _("Rules"), join_words([rules.name for rules in RULE_SETS.values()])
    return SharePreview(title, f"{title}: {names}.", Picture("", title, (names,)))


def make_rules_preview(rules: RuleSet) -> SharePreview:
    title, summary = _("Rules"), _(rules.summary)
    picture = Picture(title, rules.name, (summary,))
    return SharePreview(f"{rules.name} · {title}", summary, picture)


def make_api_preview() -> SharePreview:
    """Return the preview of the page about the API, with the home page's picture."""
    title = _("Developer API")
    about = _("Public data from public events as read-only JSON, no account needed.")
    return SharePreview(title, about, make_home_preview().picture)


def make_privacy_preview() -> SharePreview:
    """Return the preview of the privacy page, with the home page's picture."""
    about = _("The data this site stores about people: why, for how long, and who can see it.")
    return SharePreview(_("Privacy"), about, make_home_preview().picture)
