"""Page that prints a round's seats by name, seats by table and score sheets in one job."""

from typing import Any

from django.http import Http404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.models import Round, Table
from tournament.pure.texts import parse_whole
from tournament.results.queries import rules_of
from tournament.seating.printing import PARTS, Codes, lay_out_pages
from tournament.site.qr import data_uri
from tournament.web.admin.base.pages import EventPage

PART_TITLES = {
    "": gettext_lazy("Everything"),
    "names": gettext_lazy("Seats by name"),
    "tables": gettext_lazy("Seats by table"),
    "sheets": gettext_lazy("Score sheets of all tables"),
    "paper": gettext_lazy("Score sheets of tables with physical cards"),
    "signs": gettext_lazy("Table signs"),
}


class PrintPage(EventPage):
    """Page with a round's printouts.

    Query parameters:

    * `round`: the id of the round. The default is the newest round.
    * `part`: a key of PARTS. The default is all parts.
    * `table`: the number of a table, to print only that table's score sheet.
    """

    tab = "print"
    view_right = "see"
    template_name = "admin/seating/print.html"
    played: Round | None

    def load(self) -> None:
        rounds = Round.objects.filter(stage__event=self.event).select_related("stage__event")
        round_id = self.request.GET.get("round", "")
        self.rounds = list(rounds.order_by("-stage__number", "-number"))
        self.played = next(iter(self.rounds), None)
        if round_id:
            self.played = self.find(rounds, round_id)
        self.table = parse_whole(self.request.GET.get("table", ""))
        self.part = self.request.GET.get("part", "")
        if self.part and self.part not in PARTS:
            raise Http404("There is no such part.")

    def get_title(self) -> str:
        if self.played is None:
            return _("Print")
        return _("Print {round}").format(round=self.played.title)

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        codes = Codes(self._make_address, data_uri)
        return super().get_context_data(
            played=self.played,
            rounds=self.rounds,
            pages=lay_out_pages(self.played, codes, self.part, self.table) if self.played else [],
            part=self.part,
            parts=PART_TITLES.items(),
            table=self.table,
            rules=rules_of(self.event),
            now=timezone.now(),
            own_table=data_uri(self.my_table_url),
            **kwargs,
        )

    def _make_address(self, table: Table) -> str:
        page = reverse("table-points", args=[self.event.slug, table.pk])
        return self.request.build_absolute_uri(page)
