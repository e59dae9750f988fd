"""Organizers and commentators become roles of the event: owner and commentator."""

from typing import Any

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models

ROLES = [
    ("owner", "owner"),
    ("desk", "desk"),
    ("scorer", "scorer"),
    ("referee", "referee"),
    ("commentator", "commentator"),
    ("viewer", "viewer"),
]


def to_roles(apps: Any, _editor: Any) -> None:
    event_role = apps.get_model("tournament", "EventRole")
    owners = apps.get_model("tournament", "Event").organizers.through.objects
    event_role.objects.bulk_create(
        event_role(event_id=row.event_id, user_id=row.user_id, role="owner", since=row.event.created_at)
        for row in owners.select_related("event")
    )
    commentators = apps.get_model("tournament", "Commentator").objects.all()
    event_role.objects.bulk_create(
        event_role(event_id=row.event_id, user_id=row.user_id, role="commentator", since=row.since)
        for row in commentators
    )


def from_roles(apps: Any, _editor: Any) -> None:
    """What there was no word for before is lost."""
    roles = apps.get_model("tournament", "EventRole").objects
    owners = apps.get_model("tournament", "Event").organizers.through
    commentator = apps.get_model("tournament", "Commentator")
    owners.objects.bulk_create(
        owners(event_id=row.event_id, user_id=row.user_id) for row in roles.filter(role="owner")
    )
    commentator.objects.bulk_create(
        commentator(event_id=row.event_id, user_id=row.user_id, since=row.since)
        for row in roles.filter(role="commentator")
    )


class Migration(migrations.Migration):
    dependencies = [("tournament", "0013_attendance_and_exceptions")]

    operations = [
        migrations.CreateModel(
            name="EventRole",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("role", models.CharField(choices=ROLES, max_length=12)),
                ("since", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "event",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="roles",
                        to="tournament.event",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="roles",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(fields=("event", "user", "role"), name="one_role_once")
                ],
            },
        ),
        migrations.AddField(
            model_name="invitation",
            name="role",
            field=models.CharField(choices=ROLES, default="owner", max_length=12),
        ),
        migrations.RunPython(to_roles, from_roles),
        migrations.RemoveField(model_name="event", name="commentators"),
        migrations.RemoveField(model_name="event", name="organizers"),
        migrations.DeleteModel(name="Commentator"),
    ]
