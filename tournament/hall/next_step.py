"""A player's next step in one sentence, from registration to the end of the event."""

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import facts
from tournament.common.moments import moment_text
from tournament.common.reasons import reason_text
from tournament.hall.own_place import describe_hidden_places
from tournament.hall.table_views import PublicTable, SeatView
from tournament.models import Event, Registration, Round, Ruling, Stage, TableSeat
from tournament.results.reports import can_players_enter
from tournament.results.table_state import TableState
from tournament.stages.winners import are_all_rounds_played, find_deciding_stage, is_decided

_WAITLIST_TEXTS = {
    False: gettext_lazy("You’re on the waitlist. You’ll get a spot when a player withdraws."),
    True: gettext_lazy(
        "You’re on the waitlist. Play has started, so ask the organizers for a spot."
    ),
}


def next_step(
    event: Event,
    registration: Registration,
    table: PublicTable | None,
    seat: SeatView | None,
    bot: Ruling | None,
) -> str:
    """Return a sentence about what the player should do next.

    `table` and `seat` are the player's current table and seat. `bot` is the ruling by which a bot
    plays for the player, or None.
    """
    stands_in = seat is not None and seat.substitute == registration
    if registration.state != Registration.State.APPROVED and not stands_in:
        return _describe_missing_spot(event, registration)
    if table and seat:
        return _describe_replacement(table, seat, registration, bot) or _describe_at_table(
            table, seat.number + 1
        )
    if event.state == Event.State.FINISHED:
        return _describe_finished_event(event)
    return _describe_between_rounds(event, registration) or _describe_before_seating(event)


def is_played_by_another(seat: SeatView, registration: Registration) -> bool:
    """Return whether another person is playing in this player's seat."""
    return seat.substitute is not None and seat.substitute != registration


def _describe_replacement(
    table: PublicTable, seat: SeatView, registration: Registration, bot: Ruling | None
) -> str:
    """Explain why the player does not play in their own seat. Return "" if they do."""
    if seat.forfeited:
        text = _("Your match at table {table} was forfeited. Wait here for the next round.")
        return text.format(table=table.number)
    if seat.substitute and is_played_by_another(seat, registration):
        text = _("{name} is playing for you at table {table}. Wait here for the next round.")
        return text.format(table=table.number, name=seat.substitute.name)
    if bot and table.state.is_live:
        text = _("A bot is playing for you at table {table} until you say you’re back.")
        return text.format(table=table.number)
    return ""


def _describe_missing_spot(event: Event, registration: Registration) -> str:
    waiting = (Registration.State.PENDING, Registration.State.WAITLIST)
    if event.state == Event.State.FINISHED and registration.state in waiting:
        return _describe_finished_event(event)
    if registration.state == Registration.State.PENDING:
        return _("The organizers haven’t approved your registration yet.")
    if registration.state == Registration.State.WAITLIST:
        return str(_WAITLIST_TEXTS[event.state == Event.State.RUNNING])
    if registration.state == Registration.State.REFUSED:
        text = _("The organizers rejected your registration: {reason}")
        return text.format(reason=reason_text(registration.reason))
    if registration.state == Registration.State.DISQUALIFIED:
        text = _("You were disqualified: {reason}")
        return text.format(reason=reason_text(registration.reason))
    return _("You’ve withdrawn from this event.")


def _describe_at_table(table: PublicTable, seat: int) -> str:
    if table.state == TableState.FINISHED:
        return _describe_finished_match(table)
    if table.state == TableState.ABANDONED:
        return _describe_abandoned_match(table)
    if table.state == TableState.PAPER:
        text = _describe_physical_cards(table)
    elif table.state.is_live and table.link:
        text = _("Your match is on: table {table}, seat {seat}.")
    else:
        text = _("You’re at table {table}, seat {seat}. The round hasn’t started yet.")
    return text.format(table=table.number, seat=seat)


def _describe_finished_match(table: PublicTable) -> str:
    if table.table.round.is_final and table.table.round.stage.event.freeze:
        return _("Your match is over. The organizers will reveal the places soon.")
    if table.table.round.is_final:
        return _("The final is over. The organizers will announce the winner here.")
    return _("Your match is over. Wait here for the next round.")


def _describe_physical_cards(table: PublicTable) -> str:
    if can_players_enter(table.table):
        return _(
            "Play with physical cards at table {table}, seat {seat}. Then enter the points here."
        )
    return _(
        "Play with physical cards at table {table}, seat {seat}. The organizers will "
        "enter the points."
    )


def _describe_abandoned_match(table: PublicTable) -> str:
    match = table.match
    reason = facts.describe_ending(match) if match else ""
    text = _(
        "Your match was abandoned: {reason} None of its hands count. Stay near table "
        "{number}; the organizers will tell you what happens next."
    )
    return text.format(reason=reason, number=table.number)


def _describe_finished_event(event: Event) -> str:
    return describe_hidden_places() if event.freeze else _("The event is over.")


def _describe_between_rounds(event: Event, registration: Registration) -> str:
    """Describe the situation of a player without a seat.

    Returns "" if the event has not begun for the player.
    """
    stage = find_deciding_stage(event)
    if stage is None:
        return ""
    if is_decided(event, None):
        if event.freeze:
            return describe_hidden_places()
        return _("All rounds have been played. The organizers will announce the winner here.")
    # While the leaderboard is frozen, only the seats of a published round reveal who advanced.
    is_outcome_public = not event.freeze or newest_round(stage) is not None
    if is_outcome_public and is_eliminated(registration, stage):
        return _("You’re not in the next round. You can still watch the other players.")
    return _describe_wait(registration, stage)


def _describe_wait(registration: Registration, stage: Stage) -> str:
    newest = newest_round(stage)
    if newest is None:
        return "" if stage.number == 1 or stage.event.freeze else _describe_next_stage(stage)
    if newest.state != Round.State.CLOSED:
        text = _("{round}: you have a bye. Your next table will appear here.")
        return text.format(round=newest.title) if has_bye(registration, newest) else ""
    if stage.format == Stage.Format.BRACKET or are_all_rounds_played(stage):
        return _("The round is over. If you advance, your next table will appear here.")
    return ""


def _describe_next_stage(stage: Stage) -> str:
    text = _(
        "You’ve advanced! Next up: {stage}. Your table will appear here once the seats "
        "have been drawn."
    )
    return text.format(stage=stage)


def _describe_before_seating(event: Event) -> str:
    if event.starts_at and event.starts_at > timezone.now():
        starts = moment_text(event.starts_at, event.zone)
        return _("You have a spot. The first round starts on {moment}.").format(moment=starts)
    return _("You have a spot. Your table will appear here once the round is published.")


def newest_round(stage: Stage) -> Round | None:
    """Return the latest published round of the stage, or None."""
    return stage.rounds.exclude(state=Round.State.DRAFT).order_by("number").last()


def has_bye(player: Registration, round_: Round) -> bool:
    return player.pk in round_.seating.byes


def is_eliminated(player: Registration, stage: Stage) -> bool:
    """Return whether the event continues without this player.

    `stage` is the last stage with players. In a bracket, no one is eliminated until the next round
    is published, because results may still change.
    """
    qualifiers = stage.qualifiers.filter(registration=player, active=True)
    if stage.number > 1 and not qualifiers.exists():
        return True
    if stage.format != Stage.Format.BRACKET:
        return False
    newest = newest_round(stage)
    return newest is not None and newest.number > 1 and not _is_playing(player, newest)


def _is_playing(player: Registration, round_: Round) -> bool:
    seats = TableSeat.objects.filter(table__round=round_, registration=player)
    return has_bye(player, round_) or seats.exists()
