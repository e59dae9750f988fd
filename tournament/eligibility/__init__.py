"""The organizer's list of eligible students: files in, a verdict on every row out. Pure."""

from tournament.eligibility.columns import COLUMNS, Unmet, parse_conditions, unmet_conditions
from tournament.eligibility.judging import Report, Student, Verdict, fault, judge
from tournament.eligibility.sheets import FileRefused
from tournament.eligibility.texts import (
    clean_text,
    email_fault,
    normalise_email,
    normalise_roll,
    skeleton,
)

__all__ = [
    "COLUMNS",
    "FileRefused",
    "Report",
    "Student",
    "Unmet",
    "Verdict",
    "clean_text",
    "email_fault",
    "fault",
    "judge",
    "normalise_email",
    "normalise_roll",
    "parse_conditions",
    "skeleton",
    "unmet_conditions",
]
