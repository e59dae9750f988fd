"""The organizers' site; importing this registers its pages."""

from django.contrib import admin
from django_tasks_db.models import DBTaskResult

from tournament.web.admin.events import events
from tournament.web.admin.people.accounts import users
from tournament.web.admin.registration import registrations

__all__ = ["events", "registrations", "users"]

# What waits in the queues is no matter of the desk; “Mails” tells what organizers want to know.
admin.site.unregister(DBTaskResult)
