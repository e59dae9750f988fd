"""Forms that prevent organizers from overwriting each other's changes.

A form contains its original values, signed. When the form is submitted, the original, stored and
submitted values of each field are compared. If only another organizer has changed a field, the
stored value is kept. If both have changed it, a message is shown and nothing is saved. Submitting
the form again then saves its values.
"""

from collections.abc import Iterable
from typing import Any, TypedDict

from django import forms
from django.core import signing
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

# Submitted values by input name. A missing value is the same as "".
SubmittedValues = dict[str, list[str]]

SIGNER = signing.Signer(salt="what a form showed")
NOT_SHOWN = gettext_noop(
    "Some of this form’s data has been lost. Open the page again and make your change there."
)
CHANGED = gettext_noop(
    "Someone else has changed this to “{value}” in the meantime. Save again to "
    "replace it with yours."
)


class FormContents(TypedDict):
    """The basis and the field values of a form when it was shown."""

    basis: str
    fields: dict[str, SubmittedValues]


class OriginalContentsField(forms.CharField):
    """Hidden field with the form's original contents."""

    widget = forms.HiddenInput

    def has_changed(self, initial: Any, data: Any) -> bool:
        return False


class MergingForm(forms.Form):
    """Mixin that merges concurrent changes to a form of stored values, and reports conflicts.

    It must be the first base class.
    """

    shown = OriginalContentsField(required=False)
    data: Any

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.prepare()
        self._conflicts: dict[str, str] = {}
        self._refusal = ""
        stored = FormContents(
            basis=self.basis(),
            fields={
                bound_field.name: _read_stored_values(bound_field)
                for bound_field in self._list_compared_fields()
            },
        )
        self.initial["shown"] = token = SIGNER.sign_object(stored, compress=True)
        if self.is_bound:
            self.data = self.data.copy()
            self._compare_contents(self._read_shown_contents(), stored)
            self.data[self.add_prefix("shown")] = token

    def prepare(self) -> None:
        """Add and change fields, before the values are compared."""

    def basis(self) -> str:
        """Return a text on which the meaning of all fields depends.

        If this text has changed, no fields are merged.
        """
        return ""

    def describe_basis(self) -> str:
        """Return the message for an organizer whose form has an outdated basis."""
        raise NotImplementedError

    def clean(self) -> Any:
        if self._refusal:
            self.add_error(None, self._refusal)
        for name, value in self._conflicts.items():
            self.add_error(name, _(CHANGED).format(value=value))
        return super().clean() or self.cleaned_data

    def _list_compared_fields(self) -> Iterable[forms.BoundField]:
        return [field for field in self if field.name != "shown" and not field.field.disabled]

    def _read_shown_contents(self) -> FormContents | None:
        try:
            shown: FormContents = SIGNER.unsign_object(self.data.get(self.add_prefix("shown"), ""))
        except signing.BadSignature:
            return None
        return shown

    def _compare_contents(self, contents: FormContents | None, stored: FormContents) -> None:
        if contents is None:
            self._refusal = _(NOT_SHOWN)
        elif contents["basis"] != stored["basis"]:
            self._refusal = self.describe_basis()
        else:
            for field in self._list_compared_fields():
                stored_values = stored["fields"][field.name]
                self._merge(field, contents["fields"].get(field.name, stored_values), stored_values)

    def _merge(
        self, field: forms.BoundField, original: SubmittedValues, stored: SubmittedValues
    ) -> None:
        submitted = {key: _drop_empty(self.data.getlist(key)) for key in stored}
        if original == stored or submitted == stored:
            return
        if submitted == original:
            for key, values in stored.items():
                self.data.setlist(key, values)
        else:
            self._conflicts[field.name] = describe_value(
                field.field.widget, _get_initial_value(field)
            ) or _("nothing")


def _get_initial_value(field: forms.BoundField) -> Any:
    return field.field.prepare_value(field.initial)


def _read_stored_values(field: forms.BoundField) -> SubmittedValues:
    return dict(
        _iterate_submitted_values(field.field.widget, field.html_name, _get_initial_value(field))
    )


def _iterate_submitted_values(
    widget: Any, name: str, value: Any
) -> Iterable[tuple[str, list[str]]]:
    """Yield the values that these inputs submit if the user changes nothing."""
    if isinstance(widget, forms.MultiWidget):
        for part, suffix, each in _list_inputs(widget, value):
            yield from _iterate_submitted_values(part, name + suffix, each)
    elif isinstance(widget, forms.CheckboxInput):
        yield name, ["on"] if value else []
    else:
        shown = widget.format_value(value)
        yield name, _drop_empty(shown if isinstance(shown, list) else [shown])


def _list_inputs(widget: Any, value: Any) -> list[tuple[forms.Widget, str, Any]]:
    """Return the widget, name suffix and value of each input of a field."""
    values = value if isinstance(value, list) else widget.decompress(value)
    return list(zip(widget.widgets, widget.widgets_names, values, strict=True))


def _drop_empty(values: Iterable[Any]) -> list[str]:
    """Return the values that are not empty, sorted and with line feeds as line endings."""
    return sorted(str(value).replace("\r\n", "\n") for value in values if value not in (None, ""))


def describe_value(widget: Any, value: Any) -> str:
    """Describe a field's value in the words of the form.

    Checkboxes are not described, because two changes to a checkbox never conflict.
    """
    if isinstance(widget, forms.MultiWidget):
        parts = (describe_value(part, each) for part, _suffix, each in _list_inputs(widget, value))
        return ", ".join(filter(None, parts))
    shown = widget.format_value(value)
    if isinstance(widget, forms.Select | forms.RadioSelect):
        labels = {str(key): str(label) for key, label in widget.choices}
        return ", ".join(labels.get(each, each) for each in shown if each)
    return str(shown or "")
