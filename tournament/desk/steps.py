"""All kinds of steps that wait for a second person, each by the service that does it."""

from tournament.advancing import playoffs
from tournament.corrections import rounds
from tournament.events.closing import locking
from tournament.models import Proposal
from tournament.oversight import export_requests
from tournament.oversight.second_person import Step, StepRequest
from tournament.people.staff import invitations, organizers
from tournament.privacy import services as privacy
from tournament.registration import services as registering
from tournament.results import services as results
from tournament.rounds import paper
from tournament.rulings import services as rulings

STEPS: dict[str, Step] = {
    step.kind: step
    for step in (
        results.RESULT,
        results.UNDO,
        paper.BACK,
        registering.TAKE_OUT,
        playoffs.ORDER,
        playoffs.TAKE_BACK,
        organizers.COMMENTATOR,
        organizers.ORGANIZER,
        invitations.INVITE,
        organizers.RULE,
        export_requests.EXPORT,
        rounds.REOPEN,
        rulings.RULING,
        rulings.TAKE_BACK,
        locking.UNLOCK,
        privacy.ANONYMISE,
        privacy.PURGE,
    )
}


def request_of(proposal: Proposal) -> StepRequest:
    """Return the step that the proposal requests."""
    return StepRequest(
        proposal.event, proposal.asked_by, proposal.facts, proposal.reason, proposal.round
    )
