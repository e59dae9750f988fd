"""Form field to choose, by name, the players to keep apart.

It works without JavaScript, and for events with more than a hundred players.
"""

from typing import Any

from django import forms
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from tournament.models import Registration
from tournament.web.admin.base.generic import AnyMultipleField

# Number of empty inputs for new entries.
EMPTY_ROWS = 3


class SeparationInput(forms.CheckboxSelectMultiple):
    """Widget with a checkbox for each chosen player, and text inputs that suggest names."""

    def value_from_datadict(self, data: Any, files: Any, name: str) -> list[str]:
        typed = (text.strip() for text in data.getlist(f"{name}_add"))
        return [*data.getlist(name), *(self._find_player_id(text) for text in typed if text)]

    def value_omitted_from_data(self, data: Any, files: Any, name: str) -> bool:
        return False

    def _find_player_id(self, typed: str) -> str:
        """Return the id of the player who matches the text.

        If none or several match, return the text itself, which the field reports as an error.
        """
        wanted = typed.casefold()
        labels = {str(key): str(label).casefold() for key, label in self.choices}
        exact_matches = [key for key, label in labels.items() if label == wanted]
        matches = exact_matches or [key for key, label in labels.items() if wanted in label]
        return matches[0] if len(matches) == 1 else typed

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        keys = [str(key) for key in value or ()]
        labels = {str(key): label for key, label in self.choices}
        chosen = format_html_join(
            "", BOX, ((name, key, labels[key]) for key in keys if key in labels)
        )
        unknown = [key for key in keys if key not in labels]
        return format_html(
            '<div class="apart"><ul>{}</ul>{}<datalist id="id_{}_names">{}</datalist></div>',
            chosen,
            _render_inputs(name, unknown),
            name,
            format_html_join("", '<option value="{}">', ((labels[key],) for key in labels)),
        )

    def id_for_label(self, id_: str, index: str | None = None) -> str:
        return f"{id_}_add" if id_ else ""


BOX = '<li><label><input type="checkbox" name="{}" value="{}" checked> <bdi>{}</bdi></label></li>'
LINE = (
    '<input name="{0}_add" list="id_{0}_names" value="{1}" id="id_{0}_add{2}" maxlength="160" '
    'autocomplete="off" aria-label="{3}" placeholder="{3}">'
)


def _render_inputs(name: str, unknown: list[str]) -> SafeString:
    values = [*unknown, *[""] * max(1, EMPTY_ROWS - len(unknown))]
    label = _("Name or roll number")
    rows = ((name, value, number or "", label) for number, value in enumerate(values))
    return format_html_join("", LINE, rows)


class NamesField(AnyMultipleField):
    """Field to choose players of the same event by name."""

    widget = SeparationInput
    default_error_messages = {
        "invalid_pk_value": gettext_lazy(
            "“%(pk)s” matches no one in this event, or more than one person. Choose one of "
            "the suggested names."
        ),
    }

    def label_from_instance(self, obj: Registration) -> str:
        return f"{obj.name} ({obj.roll_number})" if obj.roll_number else obj.name
