"""The kinds of actions that need a second organizer, with their functions and texts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from tournament.advancing import playoffs
from tournament.common.kinds import UncoveredKindError, check_complete
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
    """A kind of action that needs a second organizer.

    * `step`: the checks and the action itself, from the package that the action belongs to.
    * `title`: the name in the list of kinds.
    * `preview`: a function that returns the effect that a request would have now.
    * `describe`: a function that describes a request.
    * `history`: the actions in the public history, or () if only the activity log has them.
    """

    step: Step
    title: str | Promise
    preview: Preview
    describe: Callable[[Proposal], str]
    history: Sequence[LogAction]

    def __post_init__(self) -> None:
        if unexplained := [action.name for action in self.history if action not in SENTENCES]:
            raise UncoveredKindError(", ".join(unexplained))


_KINDS = (
    StepKind(
        results.RESULT,
        _(
            "entering or changing points of a closed round, or points that differ from those "
            "scored on the site"
        ),
        previews.preview_points,
        texts.describe_entered_points,
        (LogAction.CORRECT, LogAction.ENTER_LATE),
    ),
    StepKind(
        results.UNDO,
        _("undoing such an entry"),
        previews.preview_points,
        texts.describe_undo,
        (LogAction.UNDO,),
    ),
    StepKind(
        paper.BACK,
        _("continuing a table on the site with points from physical cards"),
        previews.preview_return_to_site,
        texts.describe_return_to_site,
        (LogAction.PAPER,),
    ),
    StepKind(
        registering.TAKE_OUT,
        _("rejecting or withdrawing a player after a cut"),
        previews.preview_player_removal,
        texts.describe_removal,
        (LogAction.TAKE_OUT,),
    ),
    StepKind(
        playoffs.ORDER,
        _("recording the order of a tie-break hand"),
        previews.preview_playoff_order,
        texts.describe_tie_break_order,
        (LogAction.PLAYOFF,),
    ),
    StepKind(
        playoffs.UNDO_ORDER,
        _("undoing the order of a tie-break hand"),
        previews.preview_playoff_order,
        texts.describe_tie_break_undo,
        (LogAction.PLAYOFF_OFF,),
    ),
    StepKind(
        organizers.COMMENTATOR,
        _("naming a commentator"),
        previews.preview_commentator,
        texts.describe_commentator,
        (LogAction.COMMENTATOR,),
    ),
    StepKind(
        organizers.ORGANIZER,
        _("adding or removing an owner"),
        previews.preview_organizer,
        texts.describe_organizer,
        (LogAction.ORGANIZER,),
    ),
    StepKind(
        invitations.INVITE,
        _("inviting an owner or a commentator by email"),
        previews.preview_invitation,
        texts.describe_invitation,
        (),
    ),
    StepKind(
        organizers.RULE,
        _("reducing what a second organizer confirms, in a published event"),
        previews.preview_second_person_rule,
        texts.describe_rule,
        (LogAction.SECOND_PERSON,),
    ),
    StepKind(
        export_requests.EXPORT,
        _("exporting personal data"),
        previews.preview_export,
        texts.describe_export,
        (LogAction.EXPORT,),
    ),
    StepKind(
        rounds.REOPEN,
        _("reopening a closed round"),
        previews.preview_reopening,
        texts.describe_reopening,
        (LogAction.REOPEN_ROUND,),
    ),
    StepKind(
        rulings.RULING,
        _(
            "disqualifying a player and, once a stage has closed, removing a player or "
            "deducting points"
        ),
        previews.preview_ruling,
        texts.describe_ruling,
        (LogAction.RULING,),
    ),
    StepKind(
        rulings.UNDO_RULING,
        _("undoing a disqualification, or a deduction of points in a closed stage"),
        previews.preview_ruling_undo,
        texts.describe_ruling_undo,
        (LogAction.RULING_OFF,),
    ),
    StepKind(
        locking.UNLOCK,
        _("unlocking the results of an event"),
        previews.preview_unlocking,
        texts.describe_unlocking,
        (LogAction.UNLOCK,),
    ),
    StepKind(
        privacy.ANONYMISE,
        _("anonymizing a player"),
        previews.preview_anonymization,
        texts.describe_anonymization,
        (LogAction.ANONYMISE,),
    ),
    StepKind(
        privacy.PURGE,
        _("deleting all personal data of the event"),
        previews.preview_purge,
        texts.describe_purge,
        (LogAction.PURGE,),
    ),
)
STEPS = check_complete(Proposal.Kind, {each.step.kind: each for each in _KINDS})


def kind_of(proposal: Proposal) -> StepKind:
    """Return the kind of action that the proposal requests."""
    return STEPS[Proposal.Kind(proposal.kind)]


def request_of(proposal: Proposal) -> StepRequest:
    """Return the request that the proposal contains."""
    return StepRequest(
        proposal.event, proposal.asked_by, proposal.facts, proposal.reason, proposal.round
    )
