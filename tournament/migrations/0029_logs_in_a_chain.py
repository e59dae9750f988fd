"""The log is chained, deleted events are noted, every published event has a history."""

import json
import secrets

import django.utils.timezone
from django.db import migrations, models

from tournament.common.chain import START, Link, seal

def chain_logs(apps, editor):
    """What is there is chained as it stands; from now on a change of it shows."""
    entries = apps.get_model("tournament", "AuditEntry").objects
    for event in entries.order_by("event").values_list("event", flat=True).distinct():
        rows, previous = list(entries.filter(event=event).order_by("pk")), START
        for number, row in enumerate(rows, 1):
            previous = _chain(row, number, previous)
        entries.bulk_update(rows, ["number", "account", "previous", "digest", "seal", "salt"], 200)


def _chain(row, number, previous):
    """Seal a row, and let it hold the one before; its digest."""
    told = {key: value for key, value in row.data.items() if key != "user"}
    words = json.dumps([row.actor_id, row.text, row.reason, told], sort_keys=True)
    row.number, row.account, row.previous, row.salt = number, row.actor_id, previous, secrets.token_hex(16)
    row.seal = seal(row.salt, words)
    link = Link(row.event_id, number, row.action, "log", {}, row.seal, row.at, previous, version=2)
    row.digest = link.digest()
    return row.digest


def begin_histories(apps, editor):
    """An event that was published before there was a history has its row from now on."""
    events = apps.get_model("tournament", "Event").objects
    entry = apps.get_model("tournament", "HistoryEntry")
    published = events.exclude(state="draft").filter(rehearsal_of__isnull=True)
    for event in published.exclude(history__action="publish-event"):
        last = entry.objects.filter(event=event).order_by("number").last()
        row = entry(
            event=event,
            number=last.number + 1 if last else 1,
            action="publish-event",
            role="site",
            facts={"lots": {}},
            at=django.utils.timezone.now(),
            previous=last.digest if last else START,
            version=2,
            salt=secrets.token_hex(16),
        )
        row.seal = seal(row.salt, "")
        told = (event.pk, row.number, row.action, row.role, row.facts, row.seal, row.at, row.previous)
        row.digest = Link(*told, version=2).digest()
        row.save(force_insert=True)


def nothing(apps, editor):
    """Going back, chains go with their columns, and rows stay."""


def _chained(name, field):
    return migrations.AddField(model_name="auditentry", name=name, field=field)


class Migration(migrations.Migration):
    dependencies = [("tournament", "0028_stages_called_by_name")]

    operations = [
        migrations.CreateModel(
            name="DeletedEvent",
            fields=[
                ("id", models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name="ID")),
                ("number", models.BigIntegerField(unique=True)),
                ("slug", models.CharField(max_length=50)),
                ("rows", models.PositiveIntegerField()),
                ("head", models.CharField(max_length=64)),
                ("log_rows", models.PositiveIntegerField()),
                ("log_head", models.CharField(max_length=64)),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
            ],
            options={"ordering": ["pk"]},
        ),
        migrations.AlterField(
            model_name="auditentry",
            name="at",
            field=models.DateTimeField(default=django.utils.timezone.now, editable=False, verbose_name="at"),
        ),
        _chained("number", models.PositiveIntegerField(default=0, editable=False)),
        _chained("account", models.BigIntegerField(editable=False, null=True)),
        _chained("previous", models.CharField(default="", editable=False, max_length=64)),
        _chained("digest", models.CharField(default="", editable=False, max_length=64)),
        _chained("seal", models.CharField(default="", editable=False, max_length=64)),
        _chained("salt", models.CharField(blank=True, default="", editable=False, max_length=32)),
        _chained("redacted", models.BooleanField(default=False, editable=False)),
        migrations.RunPython(chain_logs, nothing),
        migrations.RunPython(begin_histories, nothing),
    ]
