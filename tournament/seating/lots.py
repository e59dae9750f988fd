"""Public proof that lots are fair.

Commitments are published before the event, and the keys and inputs of the draws after it.
"""

import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from django.utils.translation import gettext as _

from tournament.common.round_names import RoundKey, name_of, round_names
from tournament.models import Draw, Event, HistoryEntry, LogAction, Stage
from tournament.oversight.chains import HISTORY
from tournament.oversight.history_texts import select_public_entries
from tournament.pure import arrangement


@dataclass(frozen=True)
class Lots:
    """A key for drawing lots.

    * `stage`: the number of the stage, or 0 for the whole event.
    * `title`: what the lots decide.
    * `key`: the key, or "" until the event is over.
    * `kept`: whether the key matches the commitment published with the event.
    """

    stage: int
    title: str
    commitment: str
    key: str
    kept: bool


@dataclass(frozen=True)
class PublicDraw:
    """A draw of seats, with its input and key once the event is over.

    * `stage`: the number of the stage.
    * `title`: the name of the round.
    * `round`: the number of the round within the stage.
    * `draw`: the number of the draw for this round.
    * `private`: whether the input contains players' requests, which are not public. Its digest is
      public nevertheless.
    """

    stage: int
    title: str
    round: int
    draw: int
    digest: str
    key: str
    input: str
    private: bool


def compute_commitments(event: Event) -> dict[str, str]:
    """Return the commitments to the keys of all stages, by the stage's number as text.

    "0" is the commitment to the key of the whole event.
    """
    return _make_commitments(event, _list_keys(event, event.stages.all()))


def commitment_to(stage: Stage) -> dict[str, str]:
    """Return the commitment to one stage's key, by the stage's number as text."""
    return _make_commitments(stage.event, [(stage.number, stage.label, stage.lots_key)])


def _make_commitments(event: Event, keys: Iterable[tuple[int, str, str]]) -> dict[str, str]:
    return {str(n): arrangement.compute_commitment(event.pk, n, key) for n, _title, key in keys}


def _list_keys(event: Event, stages: Iterable[Stage]) -> list[tuple[int, str, str]]:
    """Return the number, title and key of each stage. Number 0 is the whole event."""
    stage_keys = [(stage.number, stage.label, stage.lots_key) for stage in stages]
    return [(0, _("Lots drawn for the standings"), event.lots_key), *stage_keys]


def list_lots(event: Event, stages: Iterable[Stage] | None = None) -> list[Lots]:
    """Return all keys of the event. Until it is over, they are hidden.

    `stages` are the event's stages, if already loaded.
    """
    commitments_made = _find_commitments(event)
    keys = _list_keys(event, event.stages.all() if stages is None else stages)
    return [_make_lots(event, row, commitments_made) for row in keys]


def _find_commitments(event: Event) -> dict[str, str]:
    """Return the commitments published with the event, and with stages added later.

    Events from before the public history have none.
    """
    entries = event.history.filter(
        action__in=(LogAction.PUBLISH_EVENT, LogAction.ADD_STAGE)
    ).order_by("number")
    # A manipulated row may contain anything. The check of the history reports it.
    published = [row.facts.get("lots") for row in entries if isinstance(row.facts, dict)]
    return {
        n: commitment
        for lots in published
        if isinstance(lots, dict)
        for n, commitment in lots.items()
    }


def _make_lots(event: Event, row: tuple[int, str, str], commitments: dict[str, str]) -> Lots:
    number, title, key = row
    actual = arrangement.compute_commitment(event.pk, number, key)
    published = commitments.get(str(number), actual)
    keys_public = _are_keys_public(event)
    return Lots(number, title, published, key if keys_public else "", kept=published == actual)


def _are_keys_public(event: Event) -> bool:
    """Return whether the event's keys are public: it is over and not frozen.

    The keys can then no longer reveal future draws.
    """
    return event.state == Event.State.FINISHED and not event.freeze


def list_draws(event: Event) -> list[PublicDraw]:
    """Return all draws of seats by lot, including discarded ones."""
    draws = Draw.objects.filter(stage__event=event).select_related("stage")
    in_order = draws.order_by("stage__number", "round_number", "number")
    names = round_names(event)
    keys_public = _are_keys_public(event)
    return [_describe_draw(draw, names, keys_public=keys_public) for draw in in_order]


def _describe_draw(draw: Draw, names: Mapping[RoundKey, str], *, keys_public: bool) -> PublicDraw:
    private = _has_private_rules(draw.input)
    numbers = (draw.round_number, draw.number)
    key = arrangement.draw_key(draw.stage.lots_key, *numbers, draw.digest)
    return PublicDraw(
        stage=draw.stage.number,
        title=name_of((draw.stage.number, draw.round_number), names, draw.stage.label),
        round=draw.round_number,
        draw=draw.number,
        digest=draw.digest,
        key=key if keys_public else "",
        input=draw.input if keys_public and not private else "",
        private=private,
    )


def _has_private_rules(text: str) -> bool:
    """Return whether the input assigns a player to a table, or keeps two players apart."""
    rules = arrangement.read_problem(text).rules
    return bool(rules.apart or rules.fixed)


def _make_history_row(entry: HistoryEntry) -> dict[str, object]:
    """Return an entry's hashed text, and the data needed to verify its reason."""
    opening = {"reason": entry.reason, "salt": entry.salt, "redacted": entry.redacted}
    return {"text": HISTORY.make_link(entry).text(), "digest": entry.digest, **opening}


def public_record(event: Event) -> str:
    """Return the history, the lots and the draws as JSON, so that anyone can verify them.

    See docs/fair-deal.md.
    """
    entries = select_public_entries(event).order_by("number")
    data = {
        "version": 1,
        "event": event.pk,
        "rows": [_make_history_row(entry) for entry in entries],
        "lots": [vars(each) for each in list_lots(event)],
        "draws": [vars(each) for each in list_draws(event)],
    }
    return json.dumps(data, indent=1)
