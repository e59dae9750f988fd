from tournament.models.audit import AuditEntry, LogAction, RetentionDay, describe_action
from tournament.models.certificate import Certificate
from tournament.models.conduct import Ruling
from tournament.models.event import Event
from tournament.models.floor import DeskMessage, Interruption, RefereeCall
from tournament.models.forecast import Forecast
from tournament.models.mail import Letter, PushMessage, PushSubscription, WriteCheck
from tournament.models.people import PublicProfile, User
from tournament.models.play import Result, Round, Sitting, Table, TableSeat
from tournament.models.power import DeletedEvent, Draw, HistoryEntry, Invitation, Proposal
from tournament.models.registration import (
    DeskSignIn,
    EligibilityImport,
    EligibleStudent,
    Registration,
)
from tournament.models.reports import Answer, Report
from tournament.models.roles import EventRole, Role
from tournament.models.stage import Qualifier, Stage
