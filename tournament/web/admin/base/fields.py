"""Form fields that are used in several forms for events."""

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
    """Field for a list that is typed on one line.

    `read` parses the line, and raises ValueError if it is invalid.
    """

    widget = forms.TextInput(attrs={"class": "vTextField"})
    read: Callable[[str], list[Any]]
    defaults: Mapping[str, object]
    code: str

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"required": False, **self.defaults, **kwargs})

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
    """Field for conditions, such as `department = Chemical Engineering and programme = UG`."""

    read = staticmethod(parse_conditions)
    defaults = {"label": gettext_lazy("Conditions"), "help_text": CONDITIONS_HELP}
    code = "condition"

    def prepare_value(self, value: Any) -> Any:
        if isinstance(value, list):
            return " and ".join(f"{row['field']} = {row['value']}" for row in value)
        return value


class DomainsField(_ListField):
    """Field for email domains on one line, such as `uni.edu, cs.uni.edu`."""

    read = staticmethod(parse_domains)
    defaults = {"label": gettext_lazy("Email addresses must end in"), "help_text": DOMAINS_HELP}
    code = "domain"

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(value) if isinstance(value, list) else value


def label_date_and_time(form: forms.BaseForm) -> None:
    """Label both inputs of date and time fields.

    Otherwise, screen readers would announce these inputs without a label.
    """
    for field in form.fields.values():
        if isinstance(field.widget, forms.SplitDateTimeWidget):
            names = _("{field}: date"), _("{field}: time")
            for part, name in zip(field.widget.widgets, names, strict=True):
                part.attrs["aria-label"] = name.format(field=field.label)


def list_zone_choices() -> list[tuple[str, str]]:
    """Return the choices of time zones, with the site's own zone as the default."""
    default_label = _("same as the site ({zone})").format(zone=settings.TIME_ZONE)
    return [("", default_label), *((name, name) for name in sorted(zone_names()))]


class LongSelect(forms.Select):
    """Select widget for hundreds of ungrouped options.

    It looks like `Select`, but is faster because it does not render a template for each option.
    """

    def render(
        self, name: str, value: Any, attrs: dict[str, object] | None = None, renderer: object = None
    ) -> SafeString:
        chosen = self.format_value(value)
        rows = ((key, " selected" if key in chosen else "", text) for key, text in self.choices)
        options = format_html_join("", '<option value="{}"{}>{}</option>', rows)
        attributes = self.build_attrs(self.attrs, {"name": name, **(attrs or {})})
        return format_html("<select{}>{}</select>", flatatt(attributes), options)


# A script replaces {zone} with the time zone of the organizer's browser.
DEVICE_ZONE = gettext_lazy("same as this device ({zone})")


class ZoneField(forms.ChoiceField):
    """Field to choose a time zone by name."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            choices=list_zone_choices,
            required=False,
            label=gettext_lazy("Time zone"),
            # Zone names are the same in every language.
            widget=LongSelect(attrs={"translate": "no", "data-yours": DEVICE_ZONE}),
            **kwargs,
        )

    def clean(self, value: Any) -> Any:
        """Validate the zone. Old names are accepted, because some browsers use them."""
        return super().clean(canonical_zone(value or ""))

    def prepare_value(self, value: Any) -> Any:
        return canonical_zone(value or "")
