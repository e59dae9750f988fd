"""Ordinal numbers of places in templates: `{{ 3|ordinal }}`."""

from django import template

from tournament.pure.words import ordinal

register = template.Library()
register.filter("ordinal", ordinal)
