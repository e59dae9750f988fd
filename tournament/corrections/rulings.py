"""The effect of a ruling, as found by a trial run.

It includes the messages that affected players will see, and the players who move up.
"""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Self

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournament.common.kinds import check_complete
from tournament.corrections.dry_run import (
    Consequences,
    TrialAction,
    compare_players,
    describe_new_winner,
    list_rank_changes,
    trial,
)
from tournament.models import (
    Event,
    Qualifier,
    Registration,
    Round,
    Ruling,
    Stage,
    TableSeat,
    User,
)
from tournament.oversight.second_person import StepRequest, needs_second_organizer
from tournament.pure.words import join_words
from tournament.results.queries import rules_of
from tournament.results.stages import stage_results
from tournament.rounds import running_seats
from tournament.rounds.running_seats import SeatState
from tournament.rulings.conduct import current_stage
from tournament.rulings.effects import REMOVALS, RulingRequest, seat_of
from tournament.rulings.services import find_table_to_stop, is_far_reaching, rule
from tournament.stages.places import PlayerPlace, places
from tournament.stages.walkover import find_sole_player_in
from tournament.stages.winners import Winner, find_winner, is_decided

Kind = Ruling.Kind


def preview_new_ruling(
    event: Event, actor: User, request: RulingRequest, reason: str
) -> Consequences:
    """Return the effect of a ruling before it is made.

    Raises RefusedError like the ruling itself.
    """
    consequences = preview_ruling(event, request, lambda event: rule(event, actor, request, reason))
    return replace(
        consequences,
        sentences=[*_describe_confirmation(event, actor, request), *consequences.sentences],
    )


def _describe_confirmation(event: Event, actor: User, request: RulingRequest) -> list[str]:
    """Describe what happens immediately, and what has to wait for a second organizer.

    Returns [] if no confirmation is needed.
    """
    far = is_far_reaching(StepRequest(event, actor, request.facts, ""))
    if not (far and needs_second_organizer(event, actor)):
        return []
    delayed = _describe_delayed_rounds(request.registration)
    table = find_table_to_stop(request)
    if table is None:
        sentence = _(
            "A second organizer has to confirm this. Until then, everything stays the same."
        )
        return [sentence, *delayed]
    text = _(
        "{name} will stop playing at {table} immediately and forfeit the match. "
        "Everything else will happen once a second organizer confirms the request. If "
        "the request is rejected, {name} will play there again."
    )
    return [text.format(name=request.registration.name, table=table), *delayed]


def _describe_delayed_rounds(person: Registration) -> list[str]:
    """Describe which rounds cannot continue while a ruling about the player is pending."""
    texts = {
        Round.State.PUBLISHED: _("{round} can’t start before that."),
        Round.State.RUNNING: _("{round} can’t be closed before that."),
    }
    is_own = Q(registration=person) | Q(substitute=person)
    seats = TableSeat.objects.filter(is_own, table__round__state__in=texts)
    rounds = Round.objects.filter(tables__seats__in=seats).distinct().order_by("pk")
    delayed = rounds.select_related("stage__event")
    return [texts[Round.State(each.state)].format(round=each) for each in delayed]


def preview_ruling(event: Event, request: RulingRequest, action: TrialAction) -> Consequences:
    """Return the effect of the ruling that `action` makes.

    Raises RefusedError like `action`.
    """
    seat_before = SeatBefore.of(request.registration)
    return _run_trial(event, action, lambda event: _describe_ruling(event, request, seat_before))


def preview_ruling_undo(ruling: Ruling, action: TrialAction) -> Consequences:
    """Return the effect of undoing a ruling with `action`.

    Raises RefusedError like `action`.
    """
    return _run_trial(ruling.event, action, lambda _event: _describe_returns(ruling))


def preview_player_removal(registration: Registration, action: TrialAction) -> Consequences:
    """Return the effect of removing a player without a seat.

    Raises RefusedError like `action`.
    """
    text = _("{name} will be out of the event. The results of earlier matches will still count.")
    sentences = [text.format(name=registration.name)]
    return _run_trial(registration.event, action, lambda _event: sentences)


def _run_trial(
    event: Event, action: TrialAction, describe: Callable[[Event], list[str]]
) -> Consequences:
    with trial(event) as event:
        before, later_players = _list_places(event), _list_later_players(event)
        old_winner = _find_decided_winner(event)
        action(event)
        after, (removed, added) = (
            _list_places(event),
            compare_players(later_players, _list_later_players(event)),
        )
        sentences = describe(event)
        sentences += describe_new_winner(event, old_winner, _find_decided_winner(event))
    if removed:
        sentences.append(
            _("No longer in the next stage: {names}.").format(names=join_words(sorted(removed)))
        )
    if added:
        sentences.append(_("Moving up: {names}.").format(names=join_words(sorted(added))))
    return Consequences(sentences, list_rank_changes(before, after))


def _find_decided_winner(event: Event) -> Winner | None:
    """Return the winner of an event that is decided, or None."""
    results = stage_results(event)
    return find_winner(results) if is_decided(event, find_sole_player_in(results)) else None


def _describe_returns(ruling: Ruling) -> list[str]:
    """Describe what undoing the ruling would restore."""
    name = ruling.registration.name
    if ruling.kind == Kind.POINTS:
        text = ngettext(
            "{name} will get back the {points} point that was deducted.",
            "{name} will get back the {points} points that were deducted.",
            ruling.points,
        )
        return [text.format(points=ruling.points, name=name)]
    sentences = [_("{name} will get the spot in the event back.").format(name=name)]
    if seat := seat_of(ruling):
        sentences.append(_describe_seat_return(seat).format(name=name, table=ruling.table))
    return sentences


def _describe_seat_return(seat: TableSeat) -> str:
    if running_seats.is_finished(seat):
        return _("The match at {table} is over, and it will count for {name} again.")
    if running_seats.is_on_site(seat):
        return _("{name} will play at {table} again, with the seat’s cards.")
    return _("{name} will play at {table} again.")


def _list_places(event: Event) -> list[PlayerPlace]:
    """Return the current places."""
    return places(stage_results(current_stage(event) or event), provisional=True)


def _list_later_players(event: Event) -> dict[int, str]:
    """Return the names of players in later stages that have not begun, by registration key."""
    begun = Round.objects.filter(state__in=(Round.State.RUNNING, Round.State.CLOSED))
    rows = Qualifier.objects.filter(stage__event=event, stage__number__gt=1, active=True)
    rows = rows.exclude(stage__rounds__in=begun)
    return dict(rows.values_list("registration_id", "registration__name"))


@dataclass(frozen=True)
class SeatBefore:
    """A player's seat in the current round, and its state, before the ruling."""

    seat: TableSeat | None
    state: SeatState

    @classmethod
    def of(cls, person: Registration) -> Self:
        seat = running_seats.find_running_seat(person)
        return cls(seat, running_seats.find_seat_state(person, seat))


def _describe_ruling(event: Event, request: RulingRequest, seat_before: SeatBefore) -> list[str]:
    name, seat = request.registration.name, seat_before.seat
    if request.kind in Ruling.FROM_REFEREE:
        return _describe_card(request, name, at_table=seat is not None)
    sentences = _describe_leaving(event, request) if request.kind in REMOVALS else []
    if seat and request.kind in (*REMOVALS, Kind.FORFEIT):
        sentences += SEAT_DESCRIPTIONS[seat_before.state](event, request, seat)
    if request.kind == Kind.SUBSTITUTE and request.substitute and seat:
        sentences += _describe_replacement(event, request.substitute.name, name, seat)
    if request.kind == Kind.BOT:
        text = _(
            "A bot will start playing for {name} immediately and continue until {name} "
            "takes the seat back or you return it."
        )
        sentences.append(text.format(name=name))
    return sentences


def _describe_card(request: RulingRequest, name: str, *, at_table: bool) -> list[str]:
    sentences = [_("{name} will see this ruling under “My table”.").format(name=name)]
    if at_table:
        sentences.append(_("Everyone at the table will see the ruling but not the reason."))
    if request.kind == Kind.POINTS:
        text = ngettext(
            "{points} point will be permanently deducted from {name} in the standings.",
            "{points} points will be permanently deducted from {name} in the standings.",
            request.points,
        )
        sentences.append(text.format(points=request.points, name=name))
    return sentences


def _describe_leaving(event: Event, request: RulingRequest) -> list[str]:
    """Describe the effect on the player's spot in the event and on published seats."""
    person = request.registration
    sentences = [_describe_elimination(request, event).format(name=person.name)]
    published = person.seats.filter(table__round__state=Round.State.PUBLISHED)
    text = _("{name} still has a seat at {table}. Adjust the seats before the round starts.")
    seats = published.select_related("table__round")
    if event.freeze and request.kind == Kind.DISQUALIFY:
        sentences.append(
            _(
                "The public leaderboard is frozen and won’t show the change until the places "
                "are revealed."
            )
        )
    return sentences + [text.format(name=person.name, table=seat.table) for seat in seats]


def _describe_elimination(request: RulingRequest, event: Event) -> str:
    if request.kind == Kind.LEAVE:
        return _(
            "{name} will be out of the event. The results of earlier matches will still count."
        )
    if event.disqualified == Event.Disqualified.LAST:
        return _(
            "{name} will be out of the event and last in the standings, and will lose every match."
        )
    if _has_played_bracket(request.registration):
        return _(
            "{name} will be out of the event and last in the standings, and will lose every "
            "knockout match. Other matches already played will still count."
        )
    return _(
        "{name} will be out of the event and last in the standings. Matches already "
        "played will still count."
    )


def _has_played_bracket(person: Registration) -> bool:
    begun = (Round.State.RUNNING, Round.State.CLOSED)
    seats = person.seats.filter(table__round__state__in=begun)
    return seats.filter(table__round__stage__format=Stage.Format.BRACKET).exists()


def _describe_forfeit(event: Event, request: RulingRequest, seat: TableSeat) -> list[str]:
    """Describe the effect of forfeiting a seat in a match in progress."""
    name = request.registration.name
    sentences = [_describe_empty_seat(event, seat).format(table=seat.table, name=name)]
    sentences.append(_describe_lost_match(event, seat))
    if running_seats.is_on_site(seat):
        sentences.append(_("From that moment on, {name} won’t see any cards.").format(name=name))
    return sentences


def _describe_empty_seat(event: Event, seat: TableSeat) -> str:
    """Describe how play continues at a table without the player who forfeits."""
    if not running_seats.is_on_site(seat):
        return _("At {table}, the others will play on without {name}.")
    if rules_of(event).partners:
        return _(
            "At {table}, a bot will play on for {name} so that the partner is not at a "
            "disadvantage."
        )
    return _(
        "At {table}, the site will draw and pass for {name} on every turn. Any later hands "
        "will be dealt only to the other players, if there are enough of them."
    )


def _describe_lost_match(event: Event, seat: TableSeat) -> str:
    text, rule = _("For this match, {name} will get {rule}."), Event.Forfeits(event.forfeits).label
    return text.format(name=seat.registration.name if seat.registration else "", rule=rule)


def _describe_finished_match(event: Event, request: RulingRequest, seat: TableSeat) -> list[str]:
    """Describe the effect if the player's match is over and the round is not."""
    played = seat.table.round
    bracket = played.stage.format == Stage.Format.BRACKET
    is_lost = event.disqualified == Event.Disqualified.LAST or bracket
    if seat.forfeited or not (request.kind == Kind.DISQUALIFY and is_lost):
        text = _("The match at {table} is over, and its result stays as it is.")
    else:
        text = " ".join([_("The match at {table} is over."), _describe_lost_match(event, seat)])
    advance_text = _("If {name} was going to advance, the next player of the table will.")
    advance = [advance_text.format(name=request.registration.name)] if bracket else []
    return [text.format(table=seat.table), *([] if played.is_final else advance)]


def _describe_covered_seat(_event: Event, _request: RulingRequest, seat: TableSeat) -> list[str]:
    text = _("{name} will keep playing at {table}.")
    return [text.format(name=seat.sitter.name if seat.sitter else "", table=seat.table)]


def _describe_no_seat(_event: Event, _request: RulingRequest, _seat: TableSeat) -> list[str]:
    """Return nothing, because the player has no match that could still be lost."""
    return []


# Descriptions of the effect on a seat, by its state before the ruling.
SEAT_DESCRIPTIONS = check_complete(
    SeatState,
    {
        SeatState.NONE: _describe_no_seat,
        SeatState.PLAYING: _describe_forfeit,
        SeatState.COVERED: _describe_covered_seat,
        SeatState.FORFEITED: _describe_no_seat,
        SeatState.FINISHED: _describe_finished_match,
    },
)


def _describe_replacement(
    event: Event, substitute_name: str, name: str, seat: TableSeat
) -> list[str]:
    replacement_text = _(
        "{coming} will replace {name} at {table} immediately, with the same cards."
    )
    result_text = _("The match will count for {name}.")
    if running_seats.result_belongs_to_substitute(seat):
        result_text = _("The match will count for {coming}, including the seat’s points so far.")
    return [
        replacement_text.format(coming=substitute_name, name=name, table=seat.table),
        result_text.format(coming=substitute_name, name=name),
        _("The result will show who played which hand."),
    ]
