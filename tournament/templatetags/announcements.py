"""Announcements on an event's pages.

Usage: `{% announcements event user as messages %}`.
"""

from django import template

from tournament.rounds.announcements import list_announcements

register = template.Library()
register.simple_tag(list_announcements, name="announcements")
