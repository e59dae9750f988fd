"""The admin site for organizers. Importing this module registers its pages."""

from django.contrib import admin
from django_tasks_db.models import DBTaskResult

from tournament.web.admin.events import events
from tournament.web.admin.people.accounts import users
from tournament.web.admin.registration import registrations

__all__ = ["events", "registrations", "users"]

# Organizers do not need the task queues: “Mails” shows them the emails.
admin.site.unregister(DBTaskResult)
