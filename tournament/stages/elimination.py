"""Elimination of one player while others still play, without loading results."""

from tournament.models import Registration, Round, Stage, TableSeat


def newest_round(stage: Stage) -> Round | None:
    """Return the latest round that may be public."""
    return stage.rounds.exclude(state=Round.State.DRAFT).order_by("number").last()


def has_bye(player: Registration, played: Round) -> bool:
    return player.pk in played.seating.byes


def is_out(player: Registration, stage: Stage) -> bool:
    """Return whether the others play on without this player.

    `stage`: the last stage that any player has entered. In a bracket, no player is out before the
    next round is published, because results may still change.
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
