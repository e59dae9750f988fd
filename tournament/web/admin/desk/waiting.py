"""Steps waiting for a second organizer: their effect, computed afresh, and the answer."""

from typing import Any

from django.core import signing
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.desk import proposals as read
from tournament.desk.confirmation import StepPreview, confirm, preview_of, refuse, withdraw
from tournament.desk.proposals import PendingStep
from tournament.desk.steps import kind_of
from tournament.models import Proposal
from tournament.pure.chain import Facts
from tournament.pure.texts import whole
from tournament.web.admin.base.pages import Do, EventPage

# With more steps than this, each one has a page of its own.
AT_ONCE = 3
# The page's effects are signed, so that they come back unchanged.
SALT = "what a step would do"


class WaitingPage(EventPage):
    """All pending steps, or the one in the URL; only a viewer of its effect can confirm a step."""

    title = gettext_lazy("Waiting for a second organizer")
    tab = "waiting"
    template_name = "admin/desk/waiting.html"
    sees = "see_staff"
    deeds = dict.fromkeys(("confirm", "withdraw", "refuse"), "answer")

    chosen: Proposal | None = None

    def load(self) -> None:
        asked = whole(self.request.GET.get("step", ""))
        self.chosen = self.event.proposals.filter(pk=asked or 0).first()

    def get_context_data(self, **kwargs: Any) -> dict[str, object]:
        waits = read.list_pending(self.event, self.user)
        shown = [each for each in waits if self.chosen in (None, each.proposal)]
        return super().get_context_data(
            waits=[self._build_row(each, looked=len(shown) <= AT_ONCE) for each in shown],
            more=len(waits) - len(shown),
            answered=read.list_answered(self.event, self.user),
            **kwargs,
        )

    def _build_row(self, step: PendingStep, *, looked: bool) -> dict[str, object]:
        """Build the row of a step.

        `looked` adds the effect of the step, without which the step cannot be confirmed.
        """
        found = preview_of(step.proposal) if looked else None
        may = self.granted[kind_of(step.proposal).step.right] and not step.mine
        return {"step": step, "may": may, "preview": found, "seen": _describe_sent(found)}

    def actions(self) -> dict[str, Do]:
        return {"confirm": self.confirm, "withdraw": self.withdraw, "refuse": self.refuse}

    def _find_proposal(self) -> Proposal:
        found: Proposal = self.find(self.event.proposals, self.text("proposal"))
        return found

    def confirm(self) -> str:
        confirm(self._find_proposal(), self.user, self._read_seen_facts())
        return _("Confirmed and done.")

    def _read_seen_facts(self) -> Facts:
        """Return the effects that the page showed, or an empty dict if none were shown."""
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


def _describe_sent(preview: StepPreview | None) -> str:
    if preview is None or preview.blocked:
        return ""
    return signing.dumps(preview.facts, salt=SALT, compress=True)


def _describe_outcome(outcome: str, stays: str) -> str:
    return f"{outcome} {stays or _('Nothing has been changed.')}"
