"""The organizer's list of eligible students: files in, a verdict on every row out. Pure."""

from tournament.registration.eligibility.lists.columns import (
    COLUMNS,
    parse_conditions,
    unmet_conditions,
)
from tournament.registration.eligibility.lists.domains import any_allowed, is_allowed, parse_domains
from tournament.registration.eligibility.lists.judging import fault, judge
from tournament.registration.eligibility.lists.sheets import RefusedFileError
from tournament.registration.eligibility.lists.texts import normalise_email, normalise_roll
from tournament.registration.eligibility.lists.verdicts import (
    Judgement,
    ListedStudent,
    ListReport,
    Verdict,
    VerdictKind,
)
