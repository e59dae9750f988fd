"""Places in templates: `{{ 3|ordinal }}`."""

from django import template

from tournament.common.words import ordinal

register = template.Library()
register.filter("ordinal", ordinal)
