"""The organizers' site; importing this registers its pages."""

from django.contrib import admin
from django_tasks_db.models import DBTaskResult

from tournament.admin import events, people, registrations

__all__ = ["events", "people", "registrations"]

# What waits in the queues is no matter of the desk; “Mails” tells what organizers want to know.
admin.site.unregister(DBTaskResult)
