"""All kinds of steps that wait for a second person, with everything that belongs to each."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from tournament.advancing import playoffs
from tournament.common.kinds import UncoveredKindError, cover
from tournament.corrections import rounds
from tournament.corrections import step_previews as previews
from tournament.corrections.step_previews import Preview
from tournament.events.closing import locking
from tournament.models import LogAction, Proposal
from tournament.oversight import export_requests
from tournament.oversight.history_texts import SENTENCES
from tournament.oversight.second_person import Step, StepRequest
from tournament.oversight.texts import proposal_texts as texts
from tournament.people.staff import invitations, organizers
from tournament.privacy import services as privacy
from tournament.registration import services as registering
from tournament.results import services as results
from tournament.rounds import paper
from tournament.rulings import services as rulings


@dataclass(frozen=True)
class StepKind:
    """A kind of step.

    `step` checks and does it, in the room that it belongs to. `preview` computes what it would
    change now. `describe` puts the request into words. `history` lists the actions that everyone
    reads once it is done; it is empty where only the organizers' log has the step.
    """

    step: Step
    preview: Preview
    describe: Callable[[Proposal], str]
    history: Sequence[LogAction]

    def __post_init__(self) -> None:
        if silent := [action.name for action in self.history if action not in SENTENCES]:
            raise UncoveredKindError(", ".join(silent))


_KINDS = (
    StepKind(
        results.RESULT,
        previews.preview_points,
        texts.describe_points,
        (LogAction.CORRECT, LogAction.ENTER_LATE),
    ),
    StepKind(results.UNDO, previews.preview_points, texts.describe_undo, (LogAction.UNDO,)),
    StepKind(
        paper.BACK,
        previews.preview_return_to_site,
        texts.describe_return_to_site,
        (LogAction.PAPER,),
    ),
    StepKind(
        registering.TAKE_OUT,
        previews.preview_removal,
        texts.describe_removal,
        (LogAction.TAKE_OUT,),
    ),
    StepKind(playoffs.ORDER, previews.preview_hand, texts.describe_order, (LogAction.PLAYOFF,)),
    StepKind(
        playoffs.TAKE_BACK,
        previews.preview_hand,
        texts.describe_order_undo,
        (LogAction.PLAYOFF_OFF,),
    ),
    StepKind(
        organizers.COMMENTATOR,
        previews.preview_commentator,
        texts.describe_commentator,
        (LogAction.COMMENTATOR,),
    ),
    StepKind(
        organizers.ORGANIZER,
        previews.preview_organizer,
        texts.describe_organizer,
        (LogAction.ORGANIZER,),
    ),
    StepKind(invitations.INVITE, previews.preview_invitation, texts.describe_invitation, ()),
    StepKind(
        organizers.RULE, previews.preview_rule, texts.describe_rule, (LogAction.SECOND_PERSON,)
    ),
    StepKind(
        export_requests.EXPORT, previews.preview_export, texts.describe_export, (LogAction.EXPORT,)
    ),
    StepKind(
        rounds.REOPEN,
        previews.preview_reopening,
        texts.describe_reopening,
        (LogAction.REOPEN_ROUND,),
    ),
    StepKind(rulings.RULING, previews.preview_ruling, texts.describe_ruling, (LogAction.RULING,)),
    StepKind(
        rulings.TAKE_BACK,
        previews.preview_ruling_end,
        texts.describe_ruling_end,
        (LogAction.RULING_OFF,),
    ),
    StepKind(
        locking.UNLOCK, previews.preview_unlocking, texts.describe_unlocking, (LogAction.UNLOCK,)
    ),
    StepKind(
        privacy.ANONYMISE,
        previews.preview_anonymization,
        texts.describe_anonymization,
        (LogAction.ANONYMISE,),
    ),
    StepKind(privacy.PURGE, previews.preview_purge, texts.describe_purge, (LogAction.PURGE,)),
)
STEPS = cover(Proposal.Kind, {each.step.kind: each for each in _KINDS})


def kind_of(proposal: Proposal) -> StepKind:
    """Return the kind of step that the proposal requests."""
    return STEPS[Proposal.Kind(proposal.kind)]


def request_of(proposal: Proposal) -> StepRequest:
    """Return the step that the proposal requests."""
    return StepRequest(
        proposal.event, proposal.asked_by, proposal.facts, proposal.reason, proposal.round
    )
