"""Which columns tell of people, and what becomes of them: said where they stand, and nowhere else.

Every model has a `personal`; a test asks for each of its text columns. docs/security.md.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from itertools import chain


@dataclass(frozen=True)
class Personal:
    """The columns of a model, their names separated by blanks.

    `alias`: a person's name, an alias takes its place; `who`: whatever else says who it is, it is
    emptied, and `keys`, the same as it is compared, with it. All are looked for in every text of
    the event. `about`: says something of a person, and is looked for nowhere. `scrubbed`: people
    wrote in it, so that names are replaced where they stand; "state.notes" is one key of a column.
    `redacted`: goes as a whole if it names somebody. `goes`: when the whole row does. `gone`: the
    column by which a row that stays tells of nobody any more. `whose`: the way to the account or
    the address of whom a row tells. `free`: columns in which nobody is, by the reason.
    """

    alias: str = ""
    who: str = ""
    keys: str = ""
    about: str = ""
    scrubbed: str = ""
    redacted: str = ""
    goes: str = ""
    gone: str = ""
    whose: str = ""
    free: Mapping[str, str] = field(default_factory=dict)

    @property
    def known(self) -> list[str]:
        """The columns by which people know somebody."""
        return [*self.alias.split(), *self.who.split()]

    @property
    def identifying(self) -> list[str]:
        """The columns by which somebody is found."""
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
        """The columns in which nobody is."""
        return [*chain.from_iterable(names.split() for names in self.free.values())]

    def words(self, row: object) -> list[str]:
        """What names the person of a row."""
        return [getattr(row, name) for name in self.identifying]
