"""JSON codec for dataclasses whose values are stored.

The fields of the dataclass define the JSON. Each field is stored under its name or alias. A field
that is missing from the JSON gets its default. This module is pure.
"""

from dataclasses import dataclass, fields
from functools import cache
from typing import Annotated, Any, ClassVar, Self, TypeVar

from pydantic import ConfigDict, GetCoreSchemaHandler, TypeAdapter, ValidationError
from pydantic_core import CoreSchema
from pydantic_core.core_schema import (
    any_schema,
    no_info_plain_validator_function,
    plain_serializer_function_ser_schema,
)

from games.rules.untrusted_json import InvalidJsonError, integer_of, object_of

T = TypeVar("T")


class JsonValue:
    """Base class of dataclasses that are stored as JSON.

    A value that is false in a boolean context is empty, and is stored as `{}`.

    A versioned class begins with a field `version`, which its constructor does not accept. The
    default of that field is the newest version that can be read.
    """

    __slots__ = ()
    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(serialize_by_alias=True)

    @classmethod
    def from_json(cls, data: Any) -> Self:
        """Load a value stored by `to_json`, of this version or an earlier one.

        Raises InvalidJsonError for a newer version or invalid data.
        """
        stored = object_of({} if data is None else data, cls.__name__)
        if (
            "version" in stored
            and integer_of(stored["version"], 0, "version") > cls._get_newest_version()
        ):
            raise InvalidJsonError(f"{cls.__name__} of version {stored['version']} cannot be read.")
        try:
            return cls._get_adapter().validate_python(stored)
        except ValidationError as error:
            # Pydantic's own message would quote the stored data, including its secrets.
            raise InvalidJsonError(_describe_error(cls, error)) from None

    def to_json(self) -> Any:
        return self._get_adapter().dump_python(self, mode="json") if self else {}

    def to_text(self) -> bytes:
        """Return the JSON as bytes.

        This takes half as long as building the JSON with `to_json` and then encoding it.
        """
        return self._get_adapter().dump_json(self) if self else b"{}"

    @classmethod
    def _get_adapter(cls) -> TypeAdapter[Self]:
        kind: Any = cls
        return _build_adapter(kind)

    @classmethod
    def _get_newest_version(cls) -> int:
        kind: Any = cls
        return _read_newest_version(kind)


@cache
def _build_adapter(kind: Any) -> TypeAdapter[Any]:
    return TypeAdapter(kind)


@cache
def _read_newest_version(kind: Any) -> int:
    defaults: dict[str, Any] = {each.name: each.default for each in fields(kind)}
    return int(defaults.get("version", 0))


def _describe_error(kind: type, error: ValidationError) -> str:
    """Describe the first error in the JSON, with its location."""
    first = error.errors(include_input=False, include_url=False)[0]
    path = ".".join(map(str, (kind.__name__, *first["loc"])))
    return f"{path}: {first['msg']}"


@dataclass(frozen=True)
class _AsIs:
    """Annotation for a field whose value is already JSON and is validated elsewhere."""

    def __get_pydantic_core_schema__(self, _kind: Any, _next: GetCoreSchemaHandler) -> CoreSchema:
        return any_schema()


@dataclass(frozen=True)
class _WithOwnCodec:
    """Annotation for a field whose class has its own `to_json` and `from_json`."""

    def __get_pydantic_core_schema__(self, kind: Any, _next: GetCoreSchemaHandler) -> CoreSchema:
        return no_info_plain_validator_function(
            kind.from_json, serialization=plain_serializer_function_ser_schema(kind.to_json)
        )


AsIs = Annotated[T, _AsIs()]
WithOwnCodec = Annotated[T, _WithOwnCodec()]
