"""The event desk: the way from the list to the winner, with the next step first."""

from typing import Any

from django.http import HttpResponse
from django.shortcuts import redirect
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.admin.counts import told_approved
from tournament.admin.pages import Do, EventPage, link
from tournament.admin.rounds import DRAWN, draw
from tournament.models import Event, Round
from tournament.queries import Step, desk
from tournament.queries.attendance import present_counts
from tournament.queries.desk import can_be_seated, registration_counts
from tournament.queries.mails import mail_counts
from tournament.queries.misfit import misfit
from tournament.queries.round_names import draw_text
from tournament.queries.seats import version
from tournament.services import approve_waiting
from tournament.services.advancing import announce_winner
from tournament.services.events import publish_event
from tournament.services.next_rounds import next_round
from tournament.texts import whole
from tournament.views.embedding import snippet
from tournament.views.hall import SECONDS, choices


class DeskPage(EventPage):
    """Every step with where it stands; the next one as a large button."""

    title = gettext_lazy("Desk")
    tab = "desk"
    template_name = "admin/event/desk.html"
    sees = "see"
    deeds = {"approve-waiting": "registrations"}

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        steps = [step_row(self.event, step) for step in desk(self.event)]
        mails = mail_counts(self.event)
        return super().get_context_data(
            steps=steps,
            mails=mails,
            misfit=misfit(self.event),
            snippet=snippet(self.request, self.event),
            screens=choices(self.event) if self.event.public else [],
            screen_seconds=SECONDS,
            present=present_counts(self.event),
            rulings=self.event.rulings.filter(cancelled_at__isnull=True).count(),
            **kwargs,
        )

    def actions(self) -> dict[str, Do]:
        return {
            "publish": self.publish,
            "announce": self.announce,
            "draw": self.draw,
            "approve-waiting": self.approve_waiting,
        }

    def draw(self) -> str:
        self.drawn = draw(self.find(self.event.stages, self.text("stage")), self)
        return DRAWN.format(drawn=self.drawn)

    def done(self) -> HttpResponse:
        if drawn := getattr(self, "drawn", None):
            return redirect(link("round", self.event, drawn.pk))
        return super().done()

    def approve_waiting(self) -> str:
        seen = whole(self.text("seen"))
        return told_approved(approve_waiting(self.event, self.user, seen or 0))

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
            "more": [
                (_("Settings"), settings),
                (_("Rules"), link("rules", event)),
                (_("How long it will take"), link("plan", event)),
            ],
        },
        "list": {"link": link("list", event), "label": _("Upload the list")},
        "registrations": {
            "link": f"{registrations}?event__id__exact={event.pk}",
            "label": _("See the registrations"),
            "more": [(_("Go to the rounds"), link("rounds", event))] * step.seatable,
        },
        "qualify": {
            "link": f"{link('qualify', event)}?stage={step.stage}",
            "label": _("Choose who goes through"),
        },
        "winner": {
            "link": link("standings", event),
            "post": "announce",
            "post_label": _("Announce the winner"),
        },
    }
    row = _rounds(event, step) if step.key == "rounds" else rows[step.key]
    return {"step": step, **row}


def _rounds(event: Event, step: Step) -> dict[str, object]:
    """What is to be done with them now: the action itself, or the page that has it."""
    if step.live:
        return {"link": link("control", event), "label": _("Go to the control room")}
    row: dict[str, object] = {"link": link("rounds", event), "label": _("Go to the rounds")}
    if not step.current:
        return row
    stage = event.stages.get(number=step.stage)
    last = stage.rounds.order_by("-number").first()
    if last and last.state in LOOK:
        label = str(LOOK[Round.State(last.state)]).format(round=last)
        return row | {"link": link("round", event, last.pk), "label": label}
    coming = next_round(stage)
    if coming is None or not can_be_seated(event, registration_counts(event)):
        return row
    fields = {"stage": stage.pk, "seen": version(stage, coming.number)}
    return row | {"post": "draw", "post_label": draw_text(coming), "fields": fields}


LOOK = {
    Round.State.DRAFT: gettext_lazy("{round}: look and publish"),
    Round.State.PUBLISHED: gettext_lazy("{round}: look and start"),
}
