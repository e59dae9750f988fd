"""The fields of a form in templates, each with label, help and errors: `{{ form|fields }}`.

Written by code: a hall that comes at once asks for two forms each. static/css/forms.css has their
looks.
"""

from django import forms, template
from django.forms import BoundField
from django.forms.boundfield import BoundWidget
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe

register = template.Library()

NOTHING = SafeString("")
REQUIRED = SafeString('<span class="asteriskField">*</span>')
# Which look a widget has, the first that fits; all others are lines to write in.
LINE, TICK = "form-control", "form-check-input"
LOOKS = ((forms.CheckboxInput, TICK), (forms.Select, "form-select"))


@register.filter
def fields(form: forms.BaseForm) -> str:
    """What is wrong with the form as a whole, then its fields in order."""
    told = format_html_join("", "<li>{}</li>", ((each,) for each in form.non_field_errors()))
    box = '<div class="alert alert-danger"><ul class="m-0">{}</ul></div>'
    wrong = format_html(box, told) if told else NOTHING
    return wrong + mark_safe("".join(_field(each) for each in form))  # noqa: S308 - escaped below


def _field(field: BoundField) -> str:
    if field.is_hidden:
        return str(field)
    if isinstance(field.field.widget, forms.RadioSelect):
        return _choices(field)
    if isinstance(field.field.widget, forms.CheckboxInput):
        return _tick(field)
    return format_html(
        '<div class="mb-3"><label for="{}" class="form-label">{}{}</label>{}{}{}</div>',
        field.id_for_label,
        field.label,
        _mark(field),
        field.as_widget(attrs={"class": _look(field)}),
        _wrong(field),
        _help(field),
    )


def _tick(field: BoundField) -> str:
    return format_html(
        '<div class="mb-3"><div class="form-check">{}<label for="{}">{}{}</label>{}{}</div></div>',
        field.as_widget(attrs={"class": _look(field)}),
        field.id_for_label,
        field.label,
        _mark(field),
        _wrong(field),
        _help(field),
    )


def _choices(field: BoundField) -> str:
    """One of a few answers: a group whose legend is the question."""
    described = field.aria_describedby
    return format_html(
        '<div class="mb-3"><fieldset{}><legend class="form-label">{}{}</legend>{}{}{}</fieldset>'
        "</div>",
        format_html(' aria-describedby="{}"', described) if described else NOTHING,
        field.label,
        _mark(field),
        mark_safe("".join(map(_choice, field.subwidgets))),  # noqa: S308 - escaped there
        _wrong(field),
        _help(field),
    )


def _choice(widget: BoundWidget) -> str:
    widget.data["attrs"]["class"] = TICK
    return format_html(
        '<div class="form-check">{}<label for="{}">{}</label></div>',
        widget.tag(),
        widget.id_for_label,
        widget.choice_label,
    )


def _look(field: BoundField) -> str:
    widget = field.field.widget
    look = next((look for kind, look in LOOKS if isinstance(widget, kind)), LINE)
    return f"{look} is-invalid" if field.errors else look


def _mark(field: BoundField) -> str:
    return REQUIRED if field.field.required else NOTHING


def _help(field: BoundField) -> str:
    if not field.help_text:
        return NOTHING
    text = mark_safe(field.help_text)  # noqa: S308 - as Django has it: made of our own words
    return format_html('<div id="{}_helptext" class="form-text">{}</div>', field.auto_id, text)


def _wrong(field: BoundField) -> str:
    if not field.errors:
        return NOTHING
    told = format_html_join("", "<p><strong>{}</strong></p>", ((each,) for each in field.errors))
    return format_html('<div id="{}_error" class="invalid-feedback">{}</div>', field.auto_id, told)
