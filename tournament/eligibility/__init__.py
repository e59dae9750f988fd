"""The organizer's list of eligible students: files in, a verdict on every row out. Pure."""

from tournament.eligibility.columns import COLUMNS, Unmet, parse_conditions, unmet_conditions
from tournament.eligibility.domains import any_allowed, is_allowed, parse_domains
from tournament.eligibility.judging import fault, judge
from tournament.eligibility.sheets import FileRefused
from tournament.eligibility.texts import normalise_email, normalise_roll
from tournament.eligibility.verdicts import Judgement, Kind, Report, Student, Verdict

__all__ = [
    "COLUMNS",
    "FileRefused",
    "Judgement",
    "Kind",
    "Report",
    "Student",
    "Unmet",
    "Verdict",
    "any_allowed",
    "fault",
    "is_allowed",
    "judge",
    "normalise_email",
    "normalise_roll",
    "parse_conditions",
    "parse_domains",
    "unmet_conditions",
]
