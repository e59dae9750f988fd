"""Fields of an event that more than one form has."""

from typing import Any

from django import forms
from django.conf import settings
from django.forms.utils import flatatt
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.eligibility import parse_conditions, parse_domains
from tournament.models.event import zone_names

CONDITIONS_HELP = gettext_lazy(
    "Beside the list; for instance: department = Chemical Engineering and programme = UG"
)
DOMAINS_HELP = gettext_lazy(
    "Exactly these domains, for instance: uni.edu, cs.uni.edu. Empty: any address."
)


class ConditionsField(forms.CharField):
    """Conditions in words: `department = Chemical Engineering and programme = UG`."""

    widget = forms.TextInput(attrs={"class": "vTextField"})

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("label", gettext_lazy("Conditions"))
        kwargs.setdefault("required", False)
        kwargs.setdefault("help_text", CONDITIONS_HELP)
        super().__init__(**kwargs)

    def prepare_value(self, value: Any) -> Any:
        if isinstance(value, list):
            return " and ".join(f"{row['field']} = {row['value']}" for row in value)
        return value

    def to_python(self, value: Any) -> Any:
        try:
            return parse_conditions(super().to_python(value) or "")
        except ValueError as error:
            raise forms.ValidationError(str(error), code="condition") from error

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return bool((initial or []) != self.to_python(data))
        except forms.ValidationError:
            return True


class DomainsField(forms.CharField):
    """Domains of e-mail addresses in a line: `uni.edu, cs.uni.edu`."""

    widget = forms.TextInput(attrs={"class": "vTextField"})

    def __init__(self, **kwargs: Any) -> None:
        kwargs.setdefault("label", gettext_lazy("E-mail addresses end in"))
        kwargs.setdefault("required", False)
        kwargs.setdefault("help_text", DOMAINS_HELP)
        super().__init__(**kwargs)

    def prepare_value(self, value: Any) -> Any:
        return ", ".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        try:
            return parse_domains(super().to_python(value) or "")
        except ValueError as error:
            raise forms.ValidationError(str(error), code="domain") from error

    def has_changed(self, initial: Any, data: Any) -> bool:
        try:
            return bool((initial or []) != self.to_python(data))
        except forms.ValidationError:
            return True


def name_parts(form: forms.BaseForm) -> None:
    """Name days and times that are typed apart: the label above both is read out for neither."""
    for field in form.fields.values():
        if isinstance(field.widget, forms.SplitDateTimeWidget):
            names = _("{field}: date"), _("{field}: time")
            for part, name in zip(field.widget.widgets, names, strict=True):
                part.attrs["aria-label"] = name.format(field=field.label)


def zones() -> list[tuple[str, str]]:
    """The site's own first, which an event has without a choice."""
    of_site = _("as the site ({zone})").format(zone=settings.TIME_ZONE)
    return [("", of_site), *((name, name) for name in sorted(zone_names()))]


class LongSelect(forms.Select):
    """What Select shows, for hundreds of options without groups: it asks two templates for each."""

    def render(
        self, name: str, value: Any, attrs: dict[str, object] | None = None, renderer: object = None
    ) -> SafeString:
        chosen = self.format_value(value)
        rows = ((key, " selected" if key in chosen else "", text) for key, text in self.choices)
        options = format_html_join("", '<option value="{}"{}>{}</option>', rows)
        own = self.build_attrs(self.attrs, {"name": name, **(attrs or {})})
        return format_html("<select{}>{}</select>", flatatt(own), options)


class ZoneField(forms.ChoiceField):
    """A time zone by its name."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(
            choices=zones,
            required=False,
            label=gettext_lazy("Time zone"),
            # Names of zones are the same everywhere.
            widget=LongSelect(attrs={"translate": "no"}),
            **kwargs,
        )
