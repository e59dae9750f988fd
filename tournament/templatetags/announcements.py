"""Announcements on an event's pages.

Usage: `{% announcements event user as messages %}`.
"""

from django import template

from tournament.rounds.announcements import announcements_for

register = template.Library()
register.simple_tag(announcements_for, name="announcements")
