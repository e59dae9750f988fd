"""Text of docs/settings.md, which lists each variable with its type, default and description."""

from types import UnionType
from typing import Any, Literal, get_args, get_origin

from annotated_types import Ge, Le
from pydantic.fields import FieldInfo

from tournament.serving.environment.kinds import KindLabel
from tournament.serving.environment.variables import Variables

HEAD = """# Settings

All settings come from environment variables; an empty variable counts as not set. On a server they
are in `/etc/lastcard.env` ([deploy](deploy.md)). Every command checks them when it starts. It lists
all invalid ones by name and exits with 2. It warns of unknown names that look like one of these
(`ALOWED_HOSTS`).

Written by `manage.py settings_page` from `tournament/serving/environment/variables.py`.

| Variable | Type | Default | Meaning |
|---|---|---|---|
"""


def render_page() -> str:
    rows = [_format_row(name, field) for name, field in Variables.model_fields.items()]
    return HEAD + "".join(rows)


def _format_row(name: str, field: FieldInfo) -> str:
    default = field.title or _format_default(field.default)
    return f"| `{name}` | {_describe_kind(field)} | {default} | {field.description} |\n"


def _format_default(default: Any) -> str:
    return f"{default:d}" if isinstance(default, bool) else f"`{default}`"


def _describe_kind(field: FieldInfo) -> str:
    for each in [*field.metadata, *_list_inner_metadata(field.annotation)]:
        if isinstance(each, KindLabel):
            return each.kind
    if get_origin(field.annotation) is Literal:
        return ", ".join(f"`{word}`" for word in get_args(field.annotation))
    return _describe_whole_number(field) if field.annotation is int else "text"


def _list_inner_metadata(annotation: Any) -> list[Any]:
    """Return the metadata of the type in an annotation such as `Kind | None`."""
    if not isinstance(annotation, UnionType) and get_origin(annotation) is None:
        return []
    return [
        metadata for part in get_args(annotation) for metadata in getattr(part, "__metadata__", [])
    ]


def _describe_whole_number(field: FieldInfo) -> str:
    least = [each.ge for each in field.metadata if isinstance(each, Ge)]
    most = [each.le for each in field.metadata if isinstance(each, Le)]
    bounds = f"{least[0]} to {most[0]}" if most else f"{least[0]} or more" if least else ""
    return f"whole number, {bounds}".removesuffix(", ")
