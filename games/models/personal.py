"""Which columns tell of people, and what becomes of them: said where they stand, and nowhere else.

Every model has a `personal`; a test asks for each of its text columns. docs/security.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from itertools import chain
from typing import NamedTuple

from django.db.models import TextChoices
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


class Topic(TextChoices):
    """Topics of columns, as readers look for them, in the page's order."""

    ACCOUNT = "account", _("Your account")
    REGISTRATION = "registration", _("Your registration")
    GAMES = "games", _("Your games")
    WRITTEN = "written", _("Written by organizers")
    MAILS = "mails", _("Emails")
    LOGS = "logs", _("Logs and backups")
    BROWSER = "browser", _("In your browser")


class ColumnAudience(TextChoices):
    """Audience of a column."""

    NOBODY = "nobody", _("No one: it’s stored only in hashed or encrypted form.")
    YOU = "you", _("You and the people who run the site.")
    STAFF = "staff", _("You and the organizers of your events.")
    ORGANIZERS = "organizers", _("The organizers of the event.")
    EVERYBODY = "everybody", _("Anyone who opens the event’s pages.")
    TABLE = "table", _("Anyone who’s allowed to watch the table.")
    OPERATORS = "operators", _("The people who run the site.")
    DEVICE = "device", _("Anyone who uses the device.")


class Until(StrEnum):
    """Retention of a column; the settings give the days (tournament/privacy/notice.py)."""

    ACCOUNT = "account"
    EVENT = "event"
    GAME = "game"
    LETTER = "letter"
    SESSION = "session"
    TASK = "task"
    LOG = "log"
    BACKUP = "backup"
    DEVICE = "device"
    BROWSER = "browser"


class Purpose(NamedTuple):
    """Privacy notice on some columns: content, purpose, audience and retention."""

    columns: str
    topic: Topic
    what: str | Promise
    why: str | Promise
    seen: ColumnAudience
    until: Until


@dataclass(frozen=True)
class Personal:
    """Declaration of a model's columns; each field has column names separated by blanks.

    `alias`: a person's name, which an alias replaces. `who`: any other column that identifies
    the person; it is emptied. `keys`: the same value as it is compared, emptied too. All of
    these are looked for in every text of the event. `about`: says something about a person, and
    is looked for nowhere. `scrubbed`: text written by people, in which names are replaced where
    they occur; "state.notes" is one key of a column. `reasons`: those of them in which organizers
    write freely about people; they are emptied with all people of the event. `redacted`: removed
    as a whole if it names a person. `goes`: when the whole row is deleted. `gone`: the column by
    which a row that stays no longer refers to a person. `whose`: the paths to the account or the
    address of the person that a row is about. `sealed`: left out of that person's own file.
    `free`: columns without any person in them, by the reason. `purposes`: the privacy notices on
    these columns.
    """

    alias: str = ""
    who: str = ""
    keys: str = ""
    about: str = ""
    scrubbed: str = ""
    reasons: str = ""
    redacted: str = ""
    goes: str = ""
    gone: str = ""
    whose: str = ""
    sealed: str = ""
    purposes: tuple[Purpose, ...] = ()
    free: Mapping[str, str] = field(default_factory=dict)

    @property
    def known(self) -> list[str]:
        """Columns by which people know a person."""
        return [*self.alias.split(), *self.who.split()]

    @property
    def identifying(self) -> list[str]:
        """Columns by which a person is found."""
        return [*self.known, *self.keys.split()]

    @property
    def shown(self) -> list[str]:
        """The columns that tell of a person, as people read them."""
        return [*self.known, *self.about.split()]

    @property
    def emptied(self) -> list[str]:
        """The columns that tell nothing once a row has no person."""
        return [*self.who.split(), *self.keys.split(), *self.about.split()]

    @property
    def texts(self) -> list[str]:
        """Where names may stand, as `scrubbed` writes it."""
        return [*self.identifying, *self.about.split(), *self.scrubbed.split()]

    @property
    def declared(self) -> list[str]:
        """All columns of which something is said."""
        named = [*self.texts, *self.redacted.split(), *self.unread]
        return [name.partition(".")[0] for name in named]

    @property
    def unread(self) -> list[str]:
        """Columns without any person in them."""
        return [*chain.from_iterable(names.split() for names in self.free.values())]

    @property
    def hidden(self) -> set[str]:
        """The columns that nobody's own file has: keys, codes, and what must be read by nobody."""
        return {*self.keys.split(), *self.sealed.split(), *self.unread}

    def words(self, row: object) -> list[str]:
        """Return the values that name the person of a row."""
        return [getattr(row, name) for name in self.identifying]
