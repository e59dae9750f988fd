"""The organizers' site; importing this registers its pages."""

from django.contrib import admin
from django_tasks_db.models import DBTaskResult

from tournament.events.admin import events
from tournament.people.accounts.admin import users
from tournament.registration.admin import registrations

__all__ = ["events", "registrations", "users"]

# What waits in the queues is no matter of the desk; “Mails” tells what organizers want to know.
admin.site.unregister(DBTaskResult)
