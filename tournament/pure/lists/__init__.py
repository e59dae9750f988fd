"""The list of eligible students: parses files and judges every row. Pure."""

from tournament.pure.lists.columns import (
    COLUMNS,
    parse_conditions,
    unmet_conditions,
)
from tournament.pure.lists.domains import any_allowed, is_allowed, parse_domains
from tournament.pure.lists.judging import examine, fault, judge
from tournament.pure.lists.sheets import RefusedFileError
from tournament.pure.lists.texts import normalise_email, normalise_roll
from tournament.pure.lists.verdicts import (
    ListedStudent,
    ListReport,
    StoredReport,
    Verdict,
    VerdictKind,
)
