"""Event fields that several forms share."""

from collections.abc import Callable, Mapping
from typing import Any

from django import forms
from django.conf import settings
from django.forms.utils import flatatt
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.pure.lists import parse_conditions, parse_domains
from tournament.pure.zones import canonical_zone, zone_names

CONDITIONS_HELP = gettext_lazy(
    "Conditions in addition to the list, for example: department = Chemical "
    "Engineering and programme = UG"
)
DOMAINS_HELP = gettext_lazy(
    "Only these exact domains, for example: uni.edu, cs.uni.edu. Leave empty to allow any address."
)


class _ListField(forms.CharField):
    """Field for a list written on one line; `read` raises ValueError for invalid input."""

    widget = forms.TextInput(attrs={"class": "vTextField"})
    read: Callable[[str], list[Any]]
    usual: Mapping[str, object]
    code: str

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"required": False, **self.usual, **kwargs})

    def to_python(self, value: Any) -> Any:
        try:
            return self.read(super().to_python(value) or "")
        except ValueError as error:
            raise forms.ValidationError(str(error), code=self.code) from error

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return bool((initial or []) != self.to_python(data))
        except forms.ValidationError:
            return True


class ConditionsField(_ListField):
    """Field for conditions: `department = Chemical Engineering and programme = UG`."""

    read = staticmethod(parse_conditions)
    usual = {"label": gettext_lazy("Conditions"), "help_text": CONDITIONS_HELP}
    code = "condition"

    def prepare_value(self, value: Any) -> Any:
        if isinstance(value, list):
            return " and ".join(f"{row['field']} = {row['value']}" for row in value)
        return value


class DomainsField(_ListField):
    """Field for domains of email addresses on one line: `uni.edu, cs.uni.edu`."""

    read = staticmethod(parse_domains)
    usual = {"label": gettext_lazy("Email addresses must end in"), "help_text": DOMAINS_HELP}
    code = "domain"

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(value) if isinstance(value, list) else value


def name_parts(form: forms.BaseForm) -> None:
    """Label split date and time inputs, as screen readers read the shared label for neither."""
    for field in form.fields.values():
        if isinstance(field.widget, forms.SplitDateTimeWidget):
            names = _("{field}: date"), _("{field}: time")
            for part, name in zip(field.widget.widgets, names, strict=True):
                part.attrs["aria-label"] = name.format(field=field.label)


def zones() -> list[tuple[str, str]]:
    """Return the choices of time zones, beginning with the site's own, the default of events."""
    of_site = _("same as the site ({zone})").format(zone=settings.TIME_ZONE)
    return [("", of_site), *((name, name) for name in sorted(zone_names()))]


class LongSelect(forms.Select):
    """Select widget for hundreds of options without groups.

    It looks like `Select` without rendering two templates for each option.
    """

    def render(
        self, name: str, value: Any, attrs: dict[str, object] | None = None, renderer: object = None
    ) -> SafeString:
        chosen = self.format_value(value)
        rows = ((key, " selected" if key in chosen else "", text) for key, text in self.choices)
        options = format_html_join("", '<option value="{}"{}>{}</option>', rows)
        own = self.build_attrs(self.attrs, {"name": name, **(attrs or {})})
        return format_html("<select{}>{}</select>", flatatt(own), options)


# A script fills in the time zone of the organizer's browser.
YOURS = gettext_lazy("same as this device ({zone})")


class ZoneField(forms.ChoiceField):
    """Field to choose a time zone by name."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            choices=zones,
            required=False,
            label=gettext_lazy("Time zone"),
            # Names of zones are the same everywhere.
            widget=LongSelect(attrs={"translate": "no", "data-yours": YOURS}),
            **kwargs,
        )

    def clean(self, value: Any) -> Any:
        """Accept old names too, which browsers send and older events have."""
        return super().clean(canonical_zone(value or ""))

    def prepare_value(self, value: Any) -> Any:
        return canonical_zone(value or "")
