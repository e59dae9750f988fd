"""Lists of eligible students: parses uploaded files and judges every row."""

from tournament.pure.lists.columns import (
    COLUMNS,
    parse_conditions,
    unmet_conditions,
)
from tournament.pure.lists.domains import is_allowed, is_any_allowed, parse_domains
from tournament.pure.lists.judging import examine, find_fault, judge
from tournament.pure.lists.sheets import RefusedFileError
from tournament.pure.lists.texts import normalise_email, normalise_roll
from tournament.pure.lists.verdicts import (
    ListedStudent,
    ListReport,
    StoredReport,
    Verdict,
    VerdictKind,
)
