"""Effect of a ruling, found by a trial run.

It includes the messages to the players concerned, and the players who move up.
"""

from collections.abc import Callable
from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.corrections.dry_run import Consequences, Deed, exchange, list_moved, trial
from tournament.models import Event, Qualifier, Registration, Round, Ruling, TableSeat, User
from tournament.oversight.second_person import StepRequest, needs_second
from tournament.pure.words import join_words
from tournament.results.queries import rules_of
from tournament.results.stages import stage_results
from tournament.rounds import running_seats
from tournament.rulings.conduct import current_stage
from tournament.rulings.effects import OUT, RulingRequest
from tournament.rulings.services import is_far, rule, stops_play
from tournament.stages.places import PlayerPlace, places

Kind = Ruling.Kind


def foresee(event: Event, actor: User, wanted: RulingRequest, reason: str) -> Consequences:
    """Refused as the ruling itself would be."""
    found = preview_ruling(event, wanted, lambda event: rule(event, actor, wanted, reason))
    return replace(found, sentences=[*_describe_waiting(event, actor, wanted), *found.sentences])


def _describe_waiting(event: Event, actor: User, wanted: RulingRequest) -> list[str]:
    """Describe what happens immediately and what waits for a second organizer.

    Returns an empty list if no confirmation is needed.
    """
    far = is_far(StepRequest(event, actor, wanted.facts, ""))
    if not (far and needs_second(event, actor)):
        return []
    table = stops_play(wanted)
    if table is None:
        return [_("A second organizer has to confirm this. Until then, everything stays the same.")]
    text = _(
        "{name} will stop playing at {table} immediately and forfeit the match. "
        "Everything else will happen once a second organizer confirms the request. If "
        "the request is rejected, {name} will play there again."
    )
    return [text.format(name=wanted.registration.name, table=table)]


def preview_ruling(event: Event, wanted: RulingRequest, do: Deed) -> Consequences:
    """Return the effect of the ruling that `do` carries out.

    Raises RefusedError as `do` does.
    """
    seat = running_seats.chair_of(wanted.registration)
    return _try_ruling(event, do, lambda event: _describe_ruling(event, wanted, seat))


def preview_withdrawal(ruling: Ruling, do: Deed) -> Consequences:
    """Return the effect of undoing the ruling.

    Raises RefusedError as `do` does.
    """
    return _try_ruling(ruling.event, do, lambda _event: _describe_returns(ruling))


def taken_out(registration: Registration, do: Deed) -> Consequences:
    """Return the effect of removing a player who has no seat.

    Raises RefusedError as `do` does.
    """
    text = _("{name} will be out of the event. The results of earlier matches will still count.")
    told = [text.format(name=registration.name)]
    return _try_ruling(registration.event, do, lambda _event: told)


def _try_ruling(event: Event, do: Deed, said: Callable[[Event], list[str]]) -> Consequences:
    with trial(event) as event:
        before, later = _list_places(event), _list_later_players(event)
        do(event)
        after, (gone, came) = _list_places(event), exchange(later, _list_later_players(event))
    told = said(event)
    if gone:
        told.append(
            _("No longer in the next stage: {names}.").format(names=join_words(sorted(gone)))
        )
    if came:
        told.append(_("Moving up: {names}.").format(names=join_words(sorted(came))))
    return Consequences(told, list_moved(before, after))


def _describe_returns(ruling: Ruling) -> list[str]:
    """Describe what the end of a ruling gives back, depending on its kind."""
    name = ruling.registration.name
    if ruling.kind == Kind.POINTS:
        text = ngettext(
            "{name} will get back the {points} point that was deducted.",
            "{name} will get back the {points} points that were deducted.",
            ruling.points,
        )
        return [text.format(points=ruling.points, name=name)]
    told = [_("{name} will get the spot in the event back.").format(name=name)]
    if ruling.table and "seat" in ruling.before:
        text = _("{name} will play at {table} again, with the seat’s cards.")
        told.append(text.format(name=name, table=ruling.table))
    return told


def _list_places(event: Event) -> list[PlayerPlace]:
    """Return the current places."""
    return places(stage_results(current_stage(event) or event), provisional=True)


def _list_later_players(event: Event) -> dict[int, str]:
    """Map the players of later stages: registration -> name."""
    rows = Qualifier.objects.filter(stage__event=event, active=True)
    return dict(rows.values_list("registration_id", "registration__name"))


def _describe_ruling(event: Event, wanted: RulingRequest, seat: TableSeat | None) -> list[str]:
    name, table = wanted.registration.name, seat.table if seat else None
    if wanted.kind in Ruling.FROM_REFEREE:
        return _describe_card(wanted, name, at_table=table is not None)
    told = _describe_leaving(event, wanted) if wanted.kind in OUT else []
    if seat is not None and not seat.forfeited and wanted.kind in (*OUT, Kind.FORFEIT):
        told += _describe_forfeit(event, seat)
    if wanted.kind == Kind.SUBSTITUTE and wanted.substitute and seat:
        told += _describe_replacement(event, wanted.substitute.name, name, seat)
    if wanted.kind == Kind.BOT:
        text = _(
            "A bot will start playing for {name} immediately and continue until {name} "
            "takes the seat back or you return it."
        )
        told.append(text.format(name=name))
    return told


def _describe_card(wanted: RulingRequest, name: str, *, at_table: bool) -> list[str]:
    told = [_("{name} will see this ruling under “My table”.").format(name=name)]
    if at_table:
        told.append(_("Everyone at the table will see the ruling but not the reason."))
    if wanted.kind == Kind.POINTS:
        text = ngettext(
            "{points} point will be permanently deducted from {name} in the standings.",
            "{points} points will be permanently deducted from {name} in the standings.",
            wanted.points,
        )
        told.append(text.format(points=wanted.points, name=name))
    return told


def _describe_leaving(event: Event, wanted: RulingRequest) -> list[str]:
    """Describe the effect on the player's spot in the event and on published seats."""
    person = wanted.registration
    told = [_describe_elimination(wanted.kind, event).format(name=person.name)]
    published = person.seats.filter(table__round__state=Round.State.PUBLISHED)
    text = _("{name} still has a seat at {table}. Adjust the seats before the round starts.")
    seats = published.select_related("table__round")
    if event.freeze and wanted.kind == Kind.DISQUALIFY:
        told.append(
            _(
                "The public leaderboard is frozen and won’t show the change until the places "
                "are revealed."
            )
        )
    return told + [text.format(name=person.name, table=seat.table) for seat in seats]


def _describe_elimination(kind: str, event: Event) -> str:
    if kind == Kind.LEAVE:
        return _(
            "{name} will be out of the event. The results of earlier matches will still count."
        )
    if event.disqualified == Event.Disqualified.LAST:
        return _(
            "{name} will be out of the event and last in the standings, and will lose every match."
        )
    return _(
        "{name} will be out of the event and last in the standings. Matches already "
        "played will still count."
    )


def _describe_forfeit(event: Event, seat: TableSeat) -> list[str]:
    name = seat.sitter.name if seat.sitter else ""
    if rules_of(event).partners:
        text = _(
            "At {table}, a bot will play on for {name} so that the partner is not at a "
            "disadvantage."
        )
    else:
        text = _(
            "At {table}, the site will draw and pass for {name} on every turn. Later hands "
            "will be dealt only to the other players, if there are enough of them."
        )
    gets = _("For this match, {name} will get {rule}.")
    rule = Event.Forfeits(event.forfeits).label
    return [
        text.format(table=seat.table, name=name),
        gets.format(name=name, rule=rule),
        _("From that moment on, {name} won’t see any cards.").format(name=name),
    ]


def _describe_replacement(event: Event, coming: str, name: str, seat: TableSeat) -> list[str]:
    sits = _("{coming} will replace {name} at {table} immediately, with the same cards.")
    counts = _("The match will count for {name}.")
    if running_seats.plays_own_account(seat):
        counts = _("The match will count for {coming}, including the seat’s points so far.")
    return [
        sits.format(coming=coming, name=name, table=seat.table),
        counts.format(coming=coming, name=name),
        _("The result will show who played which hand."),
    ]
