"""The event desk: the way from the list to the winner, with the next step first."""

from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.admin.pages import Do, EventPage, link
from tournament.models import Event
from tournament.queries import Step, desk
from tournament.queries.mails import mail_counts
from tournament.queries.misfit import misfit
from tournament.services.advancing import announce_winner
from tournament.services.events import publish_event


class DeskPage(EventPage):
    """Every step with where it stands; the next one as a large button."""

    title = gettext_lazy("Desk")
    tab = "desk"
    template_name = "admin/event/desk.html"
    sees = "see"

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        steps = [step_row(self.event, step) for step in desk(self.event)]
        mails = mail_counts(self.event)
        return super().get_context_data(
            steps=steps,
            mails=mails,
            misfit=misfit(self.event),
            rulings=self.event.rulings.filter(cancelled_at__isnull=True).count(),
            **kwargs,
        )

    def actions(self) -> dict[str, Do]:
        return {"publish": self.publish, "announce": self.announce}

    def publish(self) -> str:
        publish_event(self.event, self.user)
        return _("The event is published: everybody can see it now.")

    def announce(self) -> str:
        return _("{sentence}: everybody can see it now.").format(
            sentence=announce_winner(self.event, self.user).sentence
        )


def step_row(event: Event, step: Step) -> dict[str, object]:
    """A step with its links; `post` names the action of its button where it is no link."""
    registrations = reverse("admin:tournament_registration_changelist")
    settings = reverse("admin:tournament_event_change", args=[event.pk])
    rows: dict[str, dict[str, object]] = {
        "prepare": {
            "link": settings,
            "post": "publish",
            "post_label": _("Publish the event"),
            "more": [(_("Settings"), settings), (_("Rules"), link("rules", event))],
        },
        "list": {"link": link("list", event), "label": _("Upload the list")},
        "registrations": {
            "link": f"{registrations}?event__id__exact={event.pk}",
            "label": _("See the registrations"),
            "more": [(_("Draw the seats of round 1"), link("rounds", event))] * step.seatable,
        },
        "first": _rounds(event, step),
        "qualify": {"link": link("qualify", event), "label": _("Choose who goes through")},
        "winner": {
            "link": link("standings", event),
            "post": "announce",
            "post_label": _("Announce the winner"),
        },
    }
    return {"step": step, **rows.get(step.key, _rounds(event, step))}


def _rounds(event: Event, step: Step) -> dict[str, object]:
    if step.live:
        return {"link": link("control", event), "label": _("Go to the control room")}
    return {"link": link("rounds", event), "label": _("Go to the rounds")}
