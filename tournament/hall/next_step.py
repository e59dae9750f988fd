"""What a player is told to do next: one sentence, from the registration to the end."""

from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games import facts
from tournament.common.moments import moment_text
from tournament.common.reasons import reason_text
from tournament.models import Event, Registration, Round, Ruling, Stage
from tournament.results.reports import players_enter
from tournament.results.shapes import PublicTable, SeatView
from tournament.stages.out import has_bye, is_out, newest_round
from tournament.stages.winners import deciding_stage, is_decided, played_out

_WAITING = {
    False: gettext_lazy("You are on the waiting list: you get a place when somebody withdraws."),
    True: gettext_lazy(
        "You are on the waiting list. Play has begun: ask the organizers for a place."
    ),
}


def next_step(
    event: Event,
    registration: Registration,
    table: PublicTable | None,
    seat: SeatView | None,
    bot: Ruling | None,
) -> str:
    stands_in = seat is not None and seat.substitute == registration
    if registration.state != Registration.State.APPROVED and not stands_in:
        return _without_place(event, registration)
    if table and seat:
        return _beside(table, seat, registration, bot) or _at_table(table, seat.number + 1)
    if event.state == Event.State.FINISHED:
        return _over()
    return _between(event, registration) or _before_seating(event)


def taken(seat: SeatView, registration: Registration) -> bool:
    return seat.substitute is not None and seat.substitute != registration


def _beside(
    table: PublicTable, seat: SeatView, registration: Registration, bot: Ruling | None
) -> str:
    """What the player is told whose seat plays without them; "" for who plays."""
    if seat.forfeited:
        text = _("Your match at table {table} is forfeited. Wait here for the next round.")
        return text.format(table=table.number)
    if seat.substitute and taken(seat, registration):
        text = _("At table {table} {name} plays in your place. Wait here for the next round.")
        return text.format(table=table.number, name=seat.substitute.name)
    if bot and table.state in ("playing", "paused"):
        text = _("At table {table} a bot plays for you until you say that you are back.")
        return text.format(table=table.number)
    return ""


def _without_place(event: Event, registration: Registration) -> str:
    waiting = (Registration.State.PENDING, Registration.State.WAITLIST)
    if event.state == Event.State.FINISHED and registration.state in waiting:
        return _over()
    if registration.state == Registration.State.PENDING:
        return _("The organizers have yet to approve your registration.")
    if registration.state == Registration.State.WAITLIST:
        return str(_WAITING[event.state == Event.State.RUNNING])
    if registration.state == Registration.State.REFUSED:
        text = _("The organizers refused your registration: {reason}")
        return text.format(reason=reason_text(registration.reason))
    if registration.state == Registration.State.DISQUALIFIED:
        text = _("You were disqualified: {reason}")
        return text.format(reason=reason_text(registration.reason))
    return _("You have withdrawn from this event.")


def _at_table(table: PublicTable, seat: int) -> str:
    if table.state == "finished":
        return _match_over(table)
    if table.state == "abandoned":
        return _abandoned(table)
    if table.state == "paper":
        text = _with_cards(table)
    elif table.state in ("playing", "paused") and table.link:
        text = _("Your match is on: table {table}, seat {seat}.")
    else:
        text = _("You sit at table {table}, seat {seat}. The round has not started yet.")
    return text.format(table=table.number, seat=seat)


def _match_over(table: PublicTable) -> str:
    if table.table.round.is_final:
        return _("The final is over. The organizers announce here who has won.")
    return _("Your match is over. Wait here for the next round.")


def _with_cards(table: PublicTable) -> str:
    if players_enter(table.table):
        return _("Play with the cards at table {table}, seat {seat}; then enter the points here.")
    return _("Play with the cards at table {table}, seat {seat}; the organizers enter the points.")


def _abandoned(table: PublicTable) -> str:
    match = table.match
    reason = facts.why_ended(match) if match else ""
    text = _(
        "Your match was abandoned: {reason} Nothing of it counts. Stay near table {number}: the "
        "organizers say how it goes on."
    )
    return text.format(reason=reason, number=table.number)


def _over() -> str:
    return _("The event is over.")


def _between(event: Event, registration: Registration) -> str:
    """Of who sits nowhere, as the rounds stand; "" where there is nothing to say but that they have
    a place."""
    stage = deciding_stage(event)
    if stage is None:
        return ""
    if is_decided(event, None):
        return _("All rounds have been played. The organizers announce here who has won.")
    # While the leaderboard stands still this page is silent too.
    if not event.freeze and is_out(registration, stage):
        return _("You are not in the next round. The others play on, and everybody can watch.")
    return _waits(registration, stage)


def _waits(registration: Registration, stage: Stage) -> str:
    newest = newest_round(stage)
    if newest is None:
        return "" if stage.number == 1 or stage.event.freeze else _through(stage)
    if newest.state != Round.State.CLOSED:
        text = _("{round}: a bye. Your next table appears here.")
        return text.format(round=newest.title) if has_bye(registration, newest) else ""
    if stage.format == Stage.Format.BRACKET or played_out(stage):
        return _("The round is over. Who goes on finds their next table here.")
    return ""


def _through(stage: Stage) -> str:
    text = _("You are through to {stage}. Your table appears here as soon as it is drawn.")
    return text.format(stage=stage)


def _before_seating(event: Event) -> str:
    if event.starts_at and event.starts_at > timezone.now():
        starts = moment_text(event.starts_at)
        return _("You have a place. The first round starts on {moment}.").format(moment=starts)
    return _("You have a place. Your table appears here as soon as the round is published.")
