"""Page for the stages of an event.

Organizers can add and remove stages. The format can be changed until publication.
"""

from collections.abc import Callable

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.common.refusals import RefusedError
from tournament.events.format_changes import (
    add_stage,
    check_can_add_stage,
    check_can_remove_stage,
    remove_stage,
    set_format,
)
from tournament.models import Event, Stage
from tournament.pure.formats import READY
from tournament.pure.texts import parse_whole
from tournament.stages.texts import stage_text
from tournament.web.admin.base.pages import Action, EventPage


class FormatPage(EventPage):
    """Page to change the format, and to add or remove stages."""

    title = gettext_lazy("Format")
    tab = "format"
    template_name = "admin/events/format.html"
    view_right = "see_settings"

    def get_context_data(self, **kwargs: object) -> dict[str, object]:
        stages = self.event.stages.order_by("number")
        formats = [(key, _(each.name), _(each.sentence)) for key, each in READY.items()]
        return super().get_context_data(
            stages=[(stage, stage_text(stage)) for stage in stages],
            published=self.event.state != Event.State.DRAFT,
            ready=formats if self.event.state == Event.State.DRAFT and self.can("set") else [],
            adding=run_check(check_can_add_stage, self.event),
            removing=run_check(check_can_remove_stage, self.event),
            **kwargs,
        )

    def actions(self) -> dict[str, Action]:
        return {"set": self.set_format, "add": self.add, "remove": self.remove}

    def set_format(self) -> str:
        set_format(self.event, self.user, self.text("format"))
        return _("Format changed. The rules stay as they are.")

    def add(self) -> str:
        rounds = parse_whole(self.text("rounds") or "1") or 0
        key, title, reason = (self.text(name) for name in ("stage", "title", "reason"))
        stage = add_stage(
            self.event, self.user, key, title, rounds, reason, seen=self.last_seen_stage()
        )
        return _("{stage} added. Set who advances to it in the settings.").format(stage=stage)

    def remove(self) -> str:
        stage = remove_stage(
            self.event, self.user, self.text("reason"), seen=self.last_seen_stage()
        )
        return _("{stage} removed.").format(stage=stage)

    def last_seen_stage(self) -> int:
        """Return the id of the last stage that the page showed."""
        return parse_whole(self.text("last")) or 0


def run_check(check: Callable[[Event], Stage], event: Event) -> dict[str, Stage | str]:
    """Run a check, and return its stage as `stage` or its refusal as `refusal`."""
    try:
        return {"stage": check(event)}
    except RefusedError as refused:
        return {"refusal": refused.sentence}
