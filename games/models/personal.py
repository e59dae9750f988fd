"""Declarations of the personal data in each model's columns, and how it is treated.

Every model has an attribute `personal`, and a test checks that it covers every text column. See
docs/security.md.
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
    """Topics of the privacy page, in the order of that page."""

    ACCOUNT = "account", _("Your account")
    REGISTRATION = "registration", _("Your registration")
    GAMES = "games", _("Your games")
    WRITTEN = "written", _("Written by organizers")
    MAILS = "mails", _("Emails")
    LOGS = "logs", _("Logs and backups")
    BROWSER = "browser", _("In your browser")


class ColumnAudience(TextChoices):
    """People who can see a column."""

    NOBODY = "nobody", _("No one: it’s stored only in hashed or encrypted form.")
    YOU = "you", _("You and the people who run the site.")
    STAFF = "staff", _("You and the organizers of your events.")
    ORGANIZERS = "organizers", _("The organizers of the event.")
    EVERYBODY = "everybody", _("Anyone who opens the event’s pages.")
    TABLE = "table", _("Anyone who’s allowed to watch the table.")
    OPERATORS = "operators", _("The people who run the site.")
    DEVICE = "device", _("Anyone who uses the device.")


class Retention(StrEnum):
    """Retention period of a column. Settings define its days (tournament/privacy/notice.py)."""

    ACCOUNT = "account"
    EVENT = "event"
    GAME = "game"
    LETTER = "letter"
    SESSION = "session"
    PUSH = "push"
    TASK = "task"
    LOG = "log"
    BACKUP = "backup"
    DEVICE = "device"
    BROWSER = "browser"


class Purpose(NamedTuple):
    """Privacy notice for some columns: content, purpose, audience and retention."""

    columns: str
    topic: Topic
    what: str | Promise
    why: str | Promise
    seen: ColumnAudience
    until: Retention


@dataclass(frozen=True)
class Personal:
    """Declaration of the personal data in a model.

    Most fields list column names, separated by spaces. "state.notes" means one key of a JSON
    column.

    * `alias`: a person's name, to be replaced with an alias.
    * `who`: other columns that identify the person, to be emptied.
    * `keys`: identifying values in the form used for comparison, to be emptied as well.
    * `about`: information about a person, to be emptied.
    * `scrubbed`: text written by people, in which names are replaced.
    * `reasons`: `scrubbed` columns in which organizers write freely about people. They are
      emptied when all people of the event are removed.
    * `redacted`: values that are removed completely if they name a person.
    * `redaction_values`: values that columns of a row get when a name in it is replaced. For
      example, a sealed row loses its salt.
    * `goes`: a phrase that says when the whole row is deleted.
    * `gone`: the column that marks a remaining row as no longer about a person.
    * `whose`: the paths to the account or address of the person that a row is about.
    * `sealed`: columns left out of that person's own data export.
    * `free`: columns without personal data, keyed by what they contain instead.
    * `purposes`: the privacy notices for these columns.

    All texts of the event are searched for the values of `alias`, `who` and `keys`.
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
    redaction_values: Mapping[str, object] = field(default_factory=dict)

    @property
    def visible_identifiers(self) -> list[str]:
        """Columns by which people recognize a person."""
        return [*self.alias.split(), *self.who.split()]

    @property
    def identifying(self) -> list[str]:
        """Columns that identify a person."""
        return [*self.visible_identifiers, *self.keys.split()]

    @property
    def shown(self) -> list[str]:
        """Columns with readable information about a person."""
        return [*self.visible_identifiers, *self.about.split()]

    @property
    def columns_to_empty(self) -> list[str]:
        """Columns that must be empty once a row no longer refers to a person."""
        return [*self.who.split(), *self.keys.split(), *self.about.split()]

    @property
    def columns_with_names(self) -> list[str]:
        """Columns that may contain names, in the notation of `scrubbed`."""
        return [*self.identifying, *self.about.split(), *self.scrubbed.split()]

    @property
    def declared(self) -> list[str]:
        """All columns that the declaration mentions."""
        named = [*self.columns_with_names, *self.redacted.split(), *self.impersonal]
        return [name.partition(".")[0] for name in named]

    @property
    def impersonal(self) -> list[str]:
        """Columns without personal data."""
        return [*chain.from_iterable(names.split() for names in self.free.values())]

    @property
    def hidden(self) -> set[str]:
        """Columns left out of data exports: keys, codes and secrets."""
        return {*self.keys.split(), *self.sealed.split(), *self.impersonal}

    def words(self, row: object) -> list[str]:
        """Return the values in a row that identify its person."""
        return [getattr(row, name) for name in self.identifying]
