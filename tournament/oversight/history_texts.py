"""The event history in words.

A line states the action, the time, the reason and the actor's role, but never the actor's name.
Rows contain only keys of players and places, whose current names are looked up.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.core.exceptions import FieldDoesNotExist
from django.db.models import Field, Model, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.common.kinds import check_complete
from tournament.common.values import describe_value
from tournament.models import Event, HistoryEntry, LogAction, Stage
from tournament.models.conduct import Ruling
from tournament.oversight import keys
from tournament.oversight.chains import HISTORY
from tournament.oversight.history_names import NameIndex, describe_place
from tournament.oversight.texts.private_actions import PRIVATE_ACTIONS
from tournament.oversight.texts.ruling_texts import RULINGS
from tournament.pure.chain import START, Facts
from tournament.pure.ranking import DEFAULT_TIE_BREAKERS, METRICS
from tournament.pure.words import join_words

ROLES = {
    "organizer": gettext_lazy("an organizer"),
    "superuser": gettext_lazy("a site administrator"),
    "desk": gettext_lazy("someone at the desk"),
    "scorer": gettext_lazy("a scorer"),
    "referee": gettext_lazy("a referee"),
    "commentator": gettext_lazy("a commentator"),
    "viewer": gettext_lazy("a staff member"),
    "player": gettext_lazy("a player"),
    "desk-code": gettext_lazy("a player signed in with a code from the desk"),
    "site": gettext_lazy("the site"),
}
# Exceptions that can occur when a sentence is built from malformed facts.
FACTS_ERRORS = (
    ArithmeticError,
    AttributeError,
    FieldDoesNotExist,
    LookupError,
    TypeError,
    ValueError,
)
# Actions that replace or undo a result, so that the standings depend on more than hands played.
CORRECTIONS = (LogAction.CORRECT, LogAction.ENTER_LATE, LogAction.UNDO, LogAction.PLAYOFF_OFF)


@dataclass(frozen=True)
class HistoryLine:
    """A line of the history.

    * `number`, `digest`: the number and digest of the row.
    * `by`: a description of the role that allowed the actor to act.
    * `second`: whether a second organizer confirmed the action.
    """

    number: int
    at: datetime
    text: str
    reason: str
    by: str
    second: bool
    digest: str


@dataclass(frozen=True)
class History:
    """The event history. Rows are identified by number.

    * `rows`: the lines, newest first.
    * `head`: the digest of the last row.
    * `broken`: the first row that does not fit the chain, or None. Rows after it prove nothing.
    * `unreadable`: rows whose facts do not fit their action. There are none unless the database or
      an event's file was edited directly.
    """

    rows: list[HistoryLine]
    head: str
    broken: int | None
    unreadable: Sequence[int] = ()


def history(event: Event) -> History:
    """Return the public event history.

    While the leaderboard is frozen, rows that are newer than the freeze are left out.
    """
    return build_history(event, list(select_public_entries(event).order_by("number")))


def build_history(event: Event, entries: Sequence[HistoryEntry]) -> History:
    """Build the history from these rows, which must be sorted by number."""
    names, foreign_names = NameIndex(event), NameIndex(event, at_home=False)
    broken = HISTORY.find_broken_row(entries)
    foreign_rows = {number for first, last in event.brought for number in range(first, last + 1)}
    rows, unreadable = [], []
    for entry in reversed(entries):
        text = _describe_entry(entry, foreign_names if entry.number in foreign_rows else names)
        rows.append(_make_line(entry, text or _("This entry can’t be read.")))
        if text is None:
            unreadable.append(entry.number)
    return History(rows, entries[-1].digest if entries else START, broken, unreadable[::-1])


def has_corrections(event: Event) -> bool:
    """Return whether results of the event have been corrected by hand."""
    return select_public_entries(event).filter(action__in=CORRECTIONS).exists()


def select_public_entries(event: Event) -> QuerySet[HistoryEntry]:
    """Return the history rows that are public now."""
    rows = event.history.all()
    return rows.filter(at__lte=event.freeze.at) if event.freeze.at else rows


def _describe_entry(entry: HistoryEntry, names: NameIndex) -> str | None:
    """Describe a row, or return None if its facts do not fit its action."""
    pattern = SENTENCES.get(entry.action)
    # The action may come from a later version of the site or from an edit of the database.
    if pattern is None:
        return entry.action
    try:
        return pattern(entry.facts, names)
    except FACTS_ERRORS:
        return None


def _make_line(entry: HistoryEntry, text: str) -> HistoryLine:
    return HistoryLine(
        number=entry.number,
        at=entry.at,
        text=text,
        reason=entry.reason,
        by=str(ROLES.get(entry.role, entry.role)),
        second=isinstance(entry.facts, dict) and bool(entry.facts.get("second")),
        digest=entry.digest,
    )


def _place_formatter(text: Any) -> Callable[[Facts, NameIndex], str]:
    """Return a function that inserts the place and the facts into `text`."""
    return lambda facts, names: str(text).format(**{**facts, "place": describe_place(facts, names)})


def _stage_formatter(text: Any) -> Callable[[Facts, NameIndex], str]:
    """Return a function that inserts a stage title into `text`. The stage may no longer exist."""
    return lambda facts, _names: str(text).format(
        title=Stage(title=facts["title"], name=facts.get("name", ""))
    )


def _format_points(points: list[int], facts: Facts, names: NameIndex) -> str:
    pairs = zip(facts["players"], points, strict=True)
    return ", ".join(f"{names.player(key)} {value}" for key, value in pairs)


def _describe_entered_points(facts: Facts, names: NameIndex) -> str:
    text = _("{place}: points were entered by hand ({points}).")
    points = _format_points(facts["points"], facts, names)
    return text.format(place=describe_place(facts, names), points=points) + _describe_override(
        facts
    )


def _describe_override(facts: Facts) -> str:
    text = _("These points count even though no combination of cards adds up to them.")
    return f" {text}" if facts.get("overridden") else ""


def _describe_correction(facts: Facts, names: NameIndex) -> str:
    text = _("{place}: points were corrected to {points} (before: {before}).")
    points, before = (_format_points(facts[key], facts, names) for key in ("points", "before"))
    sentence = text.format(place=describe_place(facts, names), points=points, before=before)
    return sentence + _describe_override(facts)


def _describe_switch(facts: Facts, names: NameIndex) -> str:
    text = _("{place}: the match moved between the site and physical cards.")
    if "to" in facts:
        text = _("{place}: the match moved from physical cards to the site.")
        if facts["to"] == "paper":
            text = _("{place}: the match moved from the site to physical cards.")
    sentences = [text.format(place=describe_place(facts, names))]
    if facts.get("points"):
        text = _("The match continued with the points from finished hands: {points}.")
        sentences.append(text.format(points=_format_points(facts["points"], facts, names)))
    return " ".join(sentences)


def _describe_undo(facts: Facts, names: NameIndex) -> str:
    text = _("{place}: an entry was undone ({points}). The earlier result counts again.")
    points = _format_points(facts["points"], facts, names)
    return text.format(place=describe_place(facts, names), points=points)


def _describe_settings(facts: Facts, names: NameIndex) -> str:
    model: type[Model] = Stage if "stage" in facts else Event
    changed = join_words(
        [_describe_setting(model, *each) for each in sorted(facts["settings"].items())]
    )
    if model is Event:
        return _("Settings were changed: {changed}.").format(changed=changed)
    text = _("The settings of {place} were changed: {changed}.")
    return text.format(place=describe_place(facts, names), changed=changed)


def _describe_setting(model: type[Model], name: str, values: list[Any]) -> str:
    field = model._meta.get_field(name)
    assert isinstance(field, Field)
    before, after = (_describe_value(field, value) for value in values)
    text = _("{setting}: {after} (before: {before})")
    return text.format(setting=field.verbose_name, after=after, before=before)


def _describe_value(field: Field[Any, Any], value: Any) -> str:
    if field.name == "tie_breakers":
        return ", ".join(_(METRICS[key].title) for key in value or DEFAULT_TIE_BREAKERS)
    return describe_value(dict(field.flatchoices).get(value, value))


def _describe_draw(facts: Facts, names: NameIndex) -> str:
    if "seeds" in facts:
        text = _("{place}: players were seeded by their results, and seats follow the seeds.")
        if facts["seeds"] == "lots":
            text = _("{place}: players were seeded by lot, and seats follow the seeds.")
        return text.format(place=describe_place(facts, names))
    if "draw" not in facts:
        return _("{place}: seats were assigned without drawing lots.").format(
            place=describe_place(facts, names)
        )
    text = _("{place}: seats were drawn by lot (draw {draw}).")
    return text.format(place=describe_place(facts, names), draw=facts["draw"])


def _describe_removal(facts: Facts, names: NameIndex) -> str:
    text = _("{name} was removed from the event.")
    if facts["to"] == "refused":
        text = _("{name} was disqualified.")
    return text.format(name=names.player(facts["registration"]))


def _describe_ruling(facts: Facts, names: NameIndex) -> str:
    return RULINGS[Ruling.Kind(facts["kind"])].describe_entry(facts, names)


def _describe_undone_ruling(facts: Facts, names: NameIndex) -> str:
    return _("Undone: {what}").format(what=_describe_ruling(facts, names))


def _describe_desk_sign_in(facts: Facts, names: NameIndex) -> str:
    text = _("{name} signed in with a code that an organizer had shown at the desk.")
    return text.format(name=names.player(facts["registration"]))


def _describe_commentator(facts: Facts, names: NameIndex) -> str:
    text = _("{name} became a commentator and could see all cards from the next hand on.")
    return text.format(name=names.person(facts["user"]))


def _describe_commentator_removal(facts: Facts, names: NameIndex) -> str:
    return _("{name} was removed as a commentator.").format(name=names.person(facts["user"]))


def _describe_organizer(facts: Facts, _names: NameIndex) -> str:
    return _("An organizer was added.") if facts["add"] else _("An organizer was removed.")


def _describe_organizer_account(facts: Facts, _names: NameIndex) -> str:
    if facts["able"]:
        return _("An organizer’s account was given access to the desk again.")
    return _(
        "An organizer’s account lost its access to the desk and could no longer confirm anything."
    )


def _describe_rule(facts: Facts, _names: NameIndex) -> str:
    text = _("Confirmation by a second organizer: {after} (previously: {before}).")
    before, after = (Event.SecondPerson(facts[key]).label for key in ("from", "to"))
    return text.format(before=before, after=after)


def _describe_export(facts: Facts, _names: NameIndex) -> str:
    if facts["which"] == "list":
        return _("The eligibility list was released for export.")
    if facts["which"] == "event":
        return _("The whole event, including personal data, was released for export.")
    return _("The registrations, including email addresses, were released for export.")


def _describe_import(facts: Facts, _names: NameIndex) -> str:
    if "results" not in facts:
        return _("The event was imported from another server.") + keys.describe_site_key(facts)
    text = _(
        "The event was brought back from another server. Changes made there: {results} "
        "to entered results, {points} to points from hands and rulings, {roles} to "
        "roles."
    )
    return text.format(**facts) + keys.describe_site_key(facts)


def _describe_playoff(facts: Facts, names: NameIndex) -> str:
    text = _("{place}: a tie-break hand was played. Order: {players}.")
    players = ", ".join(map(names.player, facts["order"]))
    return text.format(place=describe_place(facts, names), players=players)


def _describe_cut(facts: Facts, names: NameIndex) -> str:
    if not facts["through"]:
        return _("The stage was closed. No one advanced.")
    return _("{names} advanced to the next stage.").format(
        names=join_words(list(map(names.player, facts["through"])))
    )


def _describe_unchanged_cut(facts: Facts, names: NameIndex) -> str:
    text = _(
        "{place}: results changed after the cut, but the players who had advanced stayed the same."
    )
    return text.format(place=describe_place(facts, names))


def _describe_winner(facts: Facts, names: NameIndex) -> str:
    text = _("The winner was announced: {names}.")
    return text.format(names=join_words(list(map(names.player, facts["winners"]))))


def _describe_publication(facts: Facts, _names: NameIndex) -> str:
    return _("The event was published.") + keys.describe_site_key(facts)


def _describe_devices(facts: Facts, names: NameIndex) -> str:
    return keys.describe_device_keys(facts, describe_place(facts, names), names.player)


# The public sentence for each action.
SENTENCES: dict[str, Callable[[Facts, NameIndex], str]] = {
    LogAction.PUBLISH_EVENT: _describe_publication,
    LogAction.CHANGE_SETTINGS: _describe_settings,
    LogAction.ADD_STAGE: _stage_formatter(gettext_lazy("A stage was added at the end: {title}.")),
    LogAction.REMOVE_STAGE: _stage_formatter(gettext_lazy("The last stage was removed: {title}.")),
    LogAction.SEAT: _describe_draw,
    LogAction.DRAW_DROPPED: _place_formatter(gettext_lazy("{place}: draw {draw} was discarded.")),
    LogAction.CHANGE_SEATS: _place_formatter(gettext_lazy("{place}: seats were changed by hand.")),
    LogAction.REPAIR_SEATS: _place_formatter(
        gettext_lazy("{place}: seats were adjusted after a player arrived or left.")
    ),
    LogAction.UNPUBLISH: _place_formatter(
        gettext_lazy("{place}: the published seats were withdrawn.")
    ),
    LogAction.ENTER_LATE: _describe_entered_points,
    LogAction.CORRECT: _describe_correction,
    LogAction.UNDO: _describe_undo,
    LogAction.ABANDON: _place_formatter(
        gettext_lazy("{place}: the match was abandoned and doesn’t count.")
    ),
    LogAction.PAPER: _describe_switch,
    LogAction.REDO_HAND: _place_formatter(gettext_lazy("{place}: hand {hand} was dealt again.")),
    LogAction.CLOSE_EARLY: _place_formatter(
        gettext_lazy("{place} was closed although a table had no result.")
    ),
    LogAction.UNSTART: _place_formatter(
        gettext_lazy("{place}: the start was undone before any card had been played.")
    ),
    LogAction.REOPEN_ROUND: _place_formatter(
        gettext_lazy("{place} was reopened after it had been closed.")
    ),
    LogAction.QUALIFY: _describe_cut,
    LogAction.CUT_LEFT: _describe_unchanged_cut,
    LogAction.DRAW_LEFT: _place_formatter(
        gettext_lazy("{place}: results changed after the draw, but the seats stayed the same.")
    ),
    LogAction.UNDO_QUALIFY: _place_formatter(
        gettext_lazy("{place} was reopened, and the decision on who advances was undone.")
    ),
    LogAction.PLAYOFF: _describe_playoff,
    LogAction.PLAYOFF_OFF: _place_formatter(
        gettext_lazy("{place}: the result of a tie-break hand was undone.")
    ),
    LogAction.TAKE_OUT: _describe_removal,
    LogAction.RULING: _describe_ruling,
    LogAction.RULING_OFF: _describe_undone_ruling,
    LogAction.DEVICES: _describe_devices,
    LogAction.DESK_SIGNED_IN: _describe_desk_sign_in,
    LogAction.WINNER: _describe_winner,
    LogAction.REOPEN: lambda _facts, _names: _("The announcement of the winner was undone."),
    LogAction.COMMENTATOR: _describe_commentator,
    LogAction.COMMENTATOR_OFF: _describe_commentator_removal,
    LogAction.ORGANIZER: _describe_organizer,
    LogAction.ORGANIZER_ACCOUNT: _describe_organizer_account,
    LogAction.SECOND_PERSON: _describe_rule,
    LogAction.EXPORT: _describe_export,
    LogAction.CARRY_OUT: lambda _facts, _names: _("The event was moved to another server."),
    LogAction.CARRY_IN: _describe_import,
    LogAction.CARRY_BREAK: lambda _facts, _names: _(
        "The event was resumed on this server without waiting for the other one."
    ),
    LogAction.ANONYMISE: lambda _facts, _names: _("A player was anonymized at their own request."),
    LogAction.PURGE: lambda _facts, _names: _("The event’s personal data was deleted."),
    LogAction.LOCK: lambda _facts, _names: _("The event was locked, and its results became final."),
    LogAction.UNLOCK: lambda _facts, _names: _(
        "The event was unlocked so that results could be corrected."
    ),
}
# Raises an error if a new action is neither public nor private.
check_complete(LogAction, {**SENTENCES, **dict.fromkeys(PRIVATE_ACTIONS)})
