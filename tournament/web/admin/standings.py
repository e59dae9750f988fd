"""Desk page to freeze the leaderboard, and to reveal places one by one."""

from typing import Any

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.common.refusals import RefusedError
from tournament.models import Event
from tournament.pure.codes import Code
from tournament.pure.texts import parse_whole
from tournament.stages.winners import winner
from tournament.standings import freezing
from tournament.standings.queries import leaderboard
from tournament.web.admin.base.pages import Action, EventPage


class RevealPage(EventPage):
    """Page with the actual standings, in which public rows are marked."""

    title = gettext_lazy("Freeze and reveal")
    tab = "standings"
    template_name = "admin/standings/reveal.html"

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        board = leaderboard(self.event, actual=True)
        shown = self.event.freeze.shown_from
        rows = [(row, shown is not None and row.rank >= shown) for row in reversed(board.rows)]
        return super().get_context_data(rows=rows, freeze=self.event.freeze, **kwargs)

    def actions(self) -> dict[str, Action]:
        return {
            "freeze": self.freeze,
            "next": self.reveal_next,
            "down-to": self.reveal_places,
            "all": self.reveal_all,
        }

    def freeze(self) -> str:
        freezing.freeze(self.event, self.user)
        return _(
            "The public leaderboard is frozen. This page and the desk show the actual standings."
        )

    def reveal_next(self) -> str:
        return self._describe_revealed(freezing.reveal(self.event, self.user).freeze.shown_from)

    def reveal_places(self) -> str:
        place = parse_whole(self.text("place"))
        if place is None:
            raise RefusedError(Code.PLACE, _("Enter the place as a whole number."))
        event = freezing.reveal(self.event, self.user, place)
        return self._describe_revealed(event.freeze.shown_from)

    def reveal_all(self) -> str:
        return self._describe_revealed(freezing.thaw(self.event, self.user).freeze.shown_from)

    def _describe_revealed(self, place: int | None) -> str:
        if place is None and (public_winner := winner(Event.objects.get(pk=self.event.pk))):
            return _("{sentence}. Everyone can see it now.").format(sentence=public_winner.sentence)
        if place is None:
            return _("All places have been revealed. The leaderboard is live again.")
        return _("All places from last place up to place {place} are now public.").format(
            place=place
        )
