from tournament.models.audit import AuditEntry
from tournament.models.conduct import Ruling
from tournament.models.desk import DeskSignIn
from tournament.models.event import Event, Qualifier, Stage
from tournament.models.mail import Letter, WriteCheck
from tournament.models.people import User
from tournament.models.play import Result, Round, Table, TableSeat
from tournament.models.power import Commentator, Draw, HistoryEntry, Invitation, Proposal
from tournament.models.registration import EligibilityImport, EligibleStudent, Registration

__all__ = [
    "AuditEntry",
    "Commentator",
    "DeskSignIn",
    "Draw",
    "EligibilityImport",
    "EligibleStudent",
    "Event",
    "HistoryEntry",
    "Invitation",
    "Letter",
    "Proposal",
    "Qualifier",
    "Registration",
    "Result",
    "Round",
    "Ruling",
    "Stage",
    "Table",
    "TableSeat",
    "User",
    "WriteCheck",
]
