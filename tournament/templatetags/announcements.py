"""Announcements for readers of an event's page.

Used as `{% announcements event user as messages %}`.
"""

from django import template

from tournament.rounds.announcements import told_to

register = template.Library()
register.simple_tag(told_to, name="announcements")
