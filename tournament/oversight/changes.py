"""Descriptions of changes for the log, with the values before and after."""

from collections.abc import Collection, Iterator
from typing import TypedDict

from django.db.models import Model
from django.utils.translation import gettext as _

from games.rules.ruleset import rulesets
from games.rules.ruleset.rulesets import RuleSet
from tournament.common.values import describe_value


class ChangedField(TypedDict):
    """A changed field.

    * `field`: the label of the field on the form.
    * `before`, `after`: the values in words, or "–" for an empty value.
    """

    field: str
    before: str
    after: str


def list_changes(before: Model, after: Model, names: Collection[str]) -> list[ChangedField]:
    """Return the differences between two versions of a row in the columns with these names."""
    fields = [field for field in after._meta.concrete_fields if field.name in names]
    values = [
        (str(f.verbose_name), _describe_value(before, f.name), _describe_value(after, f.name))
        for f in fields
    ]
    return list(_iterate_differences(values))


def list_rule_changes(before: RuleSet, after: RuleSet) -> list[ChangedField]:
    """Return the differences in name and options between two rule sets."""
    values = [(_("rule set"), before.name, after.name)]
    for name, option in rulesets.OPTIONS.items():
        options = (rules.options()[name] for rules in (before, after))
        old, new = (option.sentence(value) for value in options)
        values.append((_(option.title), old, new))
    return list(_iterate_differences(values))


def _iterate_differences(values: list[tuple[str, str, str]]) -> Iterator[ChangedField]:
    for field, before, after in values:
        if before != after:
            yield ChangedField(field=field, before=before, after=after)


def _describe_value(row: Model, name: str) -> str:
    displayed = getattr(row, f"get_{name}_display", None)
    return describe_value(displayed() if displayed else getattr(row, name))
