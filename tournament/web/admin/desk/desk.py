"""The desk of an event, with all steps from the eligibility list to the winner."""

from typing import Any

from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.advancing.next_rounds import next_round
from tournament.advancing.services import announce_winner
from tournament.common.round_names import draw_text
from tournament.desk.queries import DeskStep, can_be_seated, list_desk_steps, registration_counts
from tournament.events.services import publish_event
from tournament.mail.deliveries import mail_counts
from tournament.models import Event, Round, Stage
from tournament.people.presence import count_present
from tournament.pure.texts import parse_whole
from tournament.registration.services import approve_pending, approve_waiting
from tournament.seating.left_out import find_left_out_players
from tournament.seating.queries import compute_version
from tournament.stages.outdated_cuts import outdated_cut
from tournament.stages.outdated_draws import list_outdated_draws
from tournament.web.admin.base.counts import describe_approved
from tournament.web.admin.base.pages import Action, desk_url
from tournament.web.admin.rounds.rounds import DrawRoundPage
from tournament.web.pages.hall.screens import DEFAULT_SECONDS, list_screen_choices
from tournament.web.pages.standings import render_snippet


class DeskPage(DrawRoundPage):
    """Page with the progress of all steps, and a large button for the next one."""

    title = gettext_lazy("Desk")
    tab = "desk"
    template_name = "admin/desk/desk.html"
    view_right = "see"
    action_rights = {"approve-waiting": "registrations", "approve-pending": "registrations"}

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        steps = [build_step(self.event, step) for step in list_desk_steps(self.event)]
        mails = mail_counts(self.event)
        return super().get_context_data(
            steps=steps,
            mails=mails,
            outdated_cut=outdated_cut(self.event),
            outdated_draws=list_outdated_draws(self.event),
            snippet=render_snippet(self.request, self.event),
            screens=list_screen_choices(self.event) if self.event.public else [],
            screen_seconds=DEFAULT_SECONDS,
            present=count_present(self.event),
            rulings=self.event.rulings.filter(cancelled_at__isnull=True).count(),
            **kwargs,
        )

    def actions(self) -> dict[str, Action]:
        return {
            "publish": self.publish,
            "announce": self.announce,
            "draw": self.draw,
            "approve-waiting": self.approve_waiting,
            "approve-pending": self.approve_pending,
        }

    def approve_waiting(self) -> str:
        seen = parse_whole(self.text("seen"))
        return describe_approved(approve_waiting(self.event, self.user, seen or 0))

    def approve_pending(self) -> str:
        seen = parse_whole(self.text("seen"))
        return describe_approved(approve_pending(self.event, self.user, seen or 0))

    def publish(self) -> str:
        publish_event(self.event, self.user)
        return _("The event is published. Everyone can see it now.")

    def announce(self) -> str:
        sentence = announce_winner(self.event, self.user).sentence
        if self.event.freeze:
            text = _("{sentence}. No one sees it until you reveal the places.")
            parts = text.format(sentence=sentence), *_make_reveal_link(self.event)
            return format_html('{} <a href="{}">{}</a>', *parts)
        return _("{sentence}. Everyone can see it now.").format(sentence=sentence)


def build_step(event: Event, step: DeskStep) -> dict[str, object]:
    """Return the template context of a step, with its links.

    If the step has a button instead of a link, `post` is the button's action.
    """
    settings = reverse("admin:tournament_event_change", args=[event.pk])
    rows: dict[str, dict[str, object]] = {
        "prepare": {
            "link": settings,
            "post": "publish",
            "post_label": _("Publish event"),
            "more": [
                (_("Settings"), settings),
                (_("Rules"), desk_url("rules", event)),
                (_("Estimate event length"), desk_url("plan", event)),
            ],
        },
        "list": {"link": desk_url("list", event), "label": _("Upload the list")},
        "registrations": _build_registrations_step(event, step),
        "qualify": {
            "link": f"{desk_url('qualify', event)}?stage={step.stage}",
            "label": _("Choose who advances"),
        },
        "winner": _build_winner_step(event),
    }
    row = _build_rounds_step(event, step) if step.key == "rounds" else rows[step.key]
    return {"step": step, **row}


def _build_winner_step(event: Event) -> dict[str, object]:
    """Return the step that announces the winner.

    If the leaderboard is frozen, viewers learn the winner when the places are revealed.
    """
    address, label = _make_reveal_link(event)
    if event.freeze and event.state == Event.State.FINISHED:
        return {"link": address, "label": label}
    row = {"post": "announce", "post_label": _("Announce winner")}
    more = [(label, address)] if event.freeze else []
    return {"link": desk_url("standings", event), **row, "more": more}


def _make_reveal_link(event: Event) -> tuple[str, str]:
    """Return the URL and label of the page that reveals the places."""
    return desk_url("reveal", event), _("Reveal the places")


def _build_registrations_step(event: Event, step: DeskStep) -> dict[str, object]:
    """Return the registrations step.

    If a table can be filled and no registration needs approval, the step offers to draw the first
    round. If the draw would leave players out, it links to the rounds page instead.
    """
    changelist = reverse("admin:tournament_registration_changelist")
    registrations_link = (_("View registrations"), f"{changelist}?event__id__exact={event.pk}")
    rounds_link = (_("Go to the rounds"), desk_url("rounds", event))
    row: dict[str, object] = {"label": registrations_link[0], "link": registrations_link[1]}
    if not step.seatable:
        return row
    if step.pending:
        return row | {"more": [rounds_link]}
    row |= {"go": rounds_link, "more": [registrations_link]}
    if stage := event.stages.order_by("number").first():
        row |= _build_draw_button(event, stage)
    return row


def _build_rounds_step(event: Event, step: DeskStep) -> dict[str, object]:
    """Return the rounds step, with the next action or a link to the rounds page."""
    if step.live:
        return {"link": desk_url("control", event), "label": _("Go to the control room")}
    row: dict[str, object] = {"link": desk_url("rounds", event), "label": _("Go to the rounds")}
    if not step.current:
        return row
    stage = event.stages.get(number=step.stage)
    last = stage.rounds.order_by("-number").first()
    if last and last.state in REVIEW_LABELS:
        label = str(REVIEW_LABELS[Round.State(last.state)]).format(round=last)
        return row | {"link": desk_url("round", event, last.pk), "label": label}
    return row | _build_draw_button(event, stage)


def _build_draw_button(event: Event, stage: Stage) -> dict[str, object]:
    """Return the button that draws the stage's next round.

    Returns {} if the organizer first has to make a decision on the rounds page.
    """
    round_ = next_round(stage)
    if round_ is None or not can_be_seated(event, registration_counts(event)):
        return {}
    if find_left_out_players(stage, round_.number).needs_confirmation:
        return {}  # The rounds page names these players.
    fields = {"stage": stage.pk, "seen": compute_version(stage, round_.number)}
    return {"post": "draw", "post_label": draw_text(round_), "fields": fields}


REVIEW_LABELS = {
    Round.State.DRAFT: gettext_lazy("{round}: review and publish"),
    Round.State.PUBLISHED: gettext_lazy("{round}: review and start"),
}
