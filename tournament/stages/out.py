"""Who has gone out of an event that others still play: of one player, without asking results."""

from tournament.models import Registration, Round, Stage, TableSeat


def newest_round(stage: Stage) -> Round | None:
    """The last that everybody may know of."""
    return stage.rounds.exclude(state=Round.State.DRAFT).order_by("number").last()


def has_bye(player: Registration, played: Round) -> bool:
    return player.pk in played.seating.byes


def is_out(player: Registration, stage: Stage) -> bool:
    """Whether others play on without this player. `stage`: the last that anybody has come into.

    In a bracket nobody is out before its next round is published: till then results may change.
    """
    entered = stage.qualifiers.filter(registration=player, active=True)
    if stage.number > 1 and not entered.exists():
        return True
    if stage.format != Stage.Format.BRACKET:
        return False
    newest = newest_round(stage)
    return newest is not None and newest.number > 1 and not _is_playing(player, newest)


def _is_playing(player: Registration, played: Round) -> bool:
    seats = TableSeat.objects.filter(table__round=played, registration=player)
    return has_bye(player, played) or seats.exists()
