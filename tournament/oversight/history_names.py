"""Names of the players, rounds and stages whose keys the event history contains."""

from functools import cached_property

from django.utils.translation import gettext as _

from tournament.common.round_names import RoundKey, name_of, round_names
from tournament.models import Event, LogAction, User
from tournament.pure.chain import Facts

# Actions whose facts contain the key of an account instead of a registration.
NAMED = (LogAction.COMMENTATOR, LogAction.COMMENTATOR_OFF)


class NameIndex:
    """The current names for the keys in the event history.

    `at_home` is true for rows written on this machine. In other rows, the keys of accounts are
    those of another machine, so accounts are not looked up.
    """

    def __init__(self, event: Event, *, at_home: bool = True) -> None:
        self.event = event
        self.at_home = at_home

    @cached_property
    def stages(self) -> dict[int, str]:
        return {stage.number: stage.label for stage in self.event.stages.all()}

    @cached_property
    def rounds(self) -> dict[RoundKey, str]:
        return round_names(self.event)

    @cached_property
    def players(self) -> dict[int, str]:
        return dict(self.event.registrations.values_list("pk", "name"))

    @cached_property
    def people(self) -> dict[int, str]:
        if not self.at_home:
            return {}
        keys = [e.facts["user"] for e in self.event.history.filter(action__in=NAMED)]
        return {user.pk: str(user) for user in User.objects.filter(pk__in=keys)}

    def player(self, key: int | None) -> str:
        return _("a bot") if key is None else self.players.get(key, _("someone"))

    def person(self, key: int) -> str:
        return self.people.get(key, _("someone"))


def describe_place(facts: Facts, names: NameIndex) -> str:
    """Describe the round and table, or the stage, in the facts, such as "Round 2, table 3"."""
    stage = names.stages.get(facts["stage"], "")
    parts = [stage]
    if "round" in facts:
        parts = [name_of((facts["stage"], facts["round"]), names.rounds, stage)]
    if "table" in facts:
        parts.append(_("table {number}").format(number=facts["table"]))
    return ", ".join(filter(None, parts))
