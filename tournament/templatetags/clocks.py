"""Durations in templates: `{{ row.elapsed|clock }}` is shown as "12:30"."""

from django import template

from tournament.common.moments import clock

register = template.Library()
register.filter("clock", clock)
