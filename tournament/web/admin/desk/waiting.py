"""Page of requests that wait for a second organizer, with the effect of each request."""

from typing import Any

from django.core import signing
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.desk import proposals as read
from tournament.desk.confirmation import StepPreview, confirm, preview_proposal, refuse, withdraw
from tournament.desk.proposals import PendingStep
from tournament.desk.steps import kind_of
from tournament.models import Proposal
from tournament.pure.chain import Facts
from tournament.pure.texts import parse_whole
from tournament.web.admin.base.pages import Action, EventPage

# If more requests are waiting, the effect of each is shown only on its own page.
MAX_STEPS_WITH_EFFECTS = 3
# The effects on the page are signed, so that the form must return them unchanged.
SALT = "what a step would do"


class WaitingPage(EventPage):
    """Page to review and answer requests that wait for a second organizer.

    The query parameter `step` selects one request. Organizers can confirm a request only if the
    page showed its effect.
    """

    title = gettext_lazy("Waiting for a second organizer")
    tab = "waiting"
    template_name = "admin/desk/waiting.html"
    view_right = "see_staff"
    action_rights = dict.fromkeys(("confirm", "withdraw", "refuse"), "answer")

    chosen: Proposal | None = None

    def load(self) -> None:
        step_id = parse_whole(self.request.GET.get("step", ""))
        self.chosen = self.event.proposals.filter(pk=step_id or 0).first()

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        pending = read.list_pending(self.event, self.user)
        shown = [each for each in pending if self.chosen in (None, each.proposal)]
        return super().get_context_data(
            waits=[
                self._build_row(each, with_effect=len(shown) <= MAX_STEPS_WITH_EFFECTS)
                for each in shown
            ],
            more=len(pending) - len(shown),
            answered=read.list_answered(self.event, self.user),
            **kwargs,
        )

    def _build_row(self, step: PendingStep, *, with_effect: bool) -> dict[str, object]:
        """Return the row of a request. Without its effect, the request cannot be confirmed."""
        step_preview = preview_proposal(step.proposal) if with_effect else None
        may = self.granted[kind_of(step.proposal).step.right] and not step.is_own
        return {
            "step": step,
            "may": may,
            "preview": step_preview,
            "seen": _sign_effects(step_preview),
        }

    def actions(self) -> dict[str, Action]:
        return {"confirm": self.confirm, "withdraw": self.withdraw, "refuse": self.refuse}

    def _find_proposal(self) -> Proposal:
        proposal: Proposal = self.find(self.event.proposals, self.text("proposal"))
        return proposal

    def confirm(self) -> str:
        confirm(self._find_proposal(), self.user, self._read_seen_facts())
        return _("Confirmed and done.")

    def _read_seen_facts(self) -> Facts:
        """Return the effects that the page showed, or {} if it showed none."""
        try:
            seen: Facts = signing.loads(self.text("seen"), salt=SALT)
        except signing.BadSignature:
            return {}
        return seen

    def withdraw(self) -> str:
        return _describe_outcome(_("Withdrawn."), withdraw(self._find_proposal(), self.user))

    def refuse(self) -> str:
        return _describe_outcome(
            _("Rejected."), refuse(self._find_proposal(), self.user, self.text("reason"))
        )


def _sign_effects(preview: StepPreview | None) -> str:
    if preview is None or preview.blocked:
        return ""
    return signing.dumps(preview.facts, salt=SALT, compress=True)


def _describe_outcome(outcome: str, remark: str) -> str:
    return f"{outcome} {remark or _('Nothing has been changed.')}"
