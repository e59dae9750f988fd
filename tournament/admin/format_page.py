"""The stages of an event, and other ready formats as long as nobody has seen it."""

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.admin.pages import Do, EventPage
from tournament.formats import READY
from tournament.models import Event
from tournament.queries.stage_texts import stage_text
from tournament.services.formatting import set_format


class FormatPage(EventPage):
    """What is played stage by stage; one press takes another format."""

    title = gettext_lazy("Format")
    tab = "format"
    template_name = "admin/event/format.html"
    sees = "see_settings"

    def get_context_data(self, **kwargs: object) -> dict[str, object]:
        stages = self.event.stages.order_by("number")
        ready = [(key, _(each.name), _(each.sentence)) for key, each in READY.items()]
        return super().get_context_data(
            stages=[(stage, stage_text(stage)) for stage in stages],
            ready=ready if self.event.state == Event.State.DRAFT and self.can("set") else [],
            **kwargs,
        )

    def actions(self) -> dict[str, Do]:
        return {"set": self.set_format}

    def set_format(self) -> str:
        set_format(self.event, self.user, self.text("format"))
        return _("The event has another format now; its rules stay as they are.")
