"""Locking, certificates, events that move between machines, reasons that can be taken out."""

import secrets

import django.core.validators
import django.db.models.deletion
import tournament.models.certificate
import tournament.models.event
from django.db import migrations, models

KEPT = "A row of the history is never changed."
# A reason may be taken out, with its salt; nothing else of a row is ever changed.
SAME = ("id", "event_id", "number", "action", "role", "facts", "at", "previous", "digest", "version", "seal")
EMPTIED = "NEW.reason = '' AND NEW.salt = '' AND NEW.redacted"
SQLITE_SAME = " AND ".join(f"NEW.{name} IS OLD.{name}" for name in SAME)
POSTGRESQL_SAME = " AND ".join(f"NEW.{name} IS NOT DISTINCT FROM OLD.{name}" for name in SAME)


def sqlite_trigger(when):
    return f"""
        CREATE TRIGGER tournament_history_is_kept BEFORE UPDATE ON tournament_historyentry {when}
        BEGIN SELECT RAISE(ABORT, '{KEPT}'); END
        """


def postgresql_trigger(when):
    return f"""
        CREATE TRIGGER tournament_history_is_kept BEFORE UPDATE ON tournament_historyentry
        FOR EACH ROW {when} EXECUTE FUNCTION tournament_history_is_kept()
        """


DROPPED = {
    "sqlite": "DROP TRIGGER IF EXISTS tournament_history_is_kept",
    "postgresql": "DROP TRIGGER tournament_history_is_kept ON tournament_historyentry",
}
BEFORE = {"sqlite": sqlite_trigger(""), "postgresql": postgresql_trigger("")}
NOW = {
    "sqlite": sqlite_trigger(f"WHEN NOT ({SQLITE_SAME} AND {EMPTIED})"),
    "postgresql": postgresql_trigger(f"WHEN (NOT ({POSTGRESQL_SAME} AND {EMPTIED}))"),
}


def runs(statements):
    return lambda apps, editor: editor.execute(statements[editor.connection.vendor], params=None)


def name_events(apps, schema_editor):
    for event in apps.get_model("tournament", "Event").objects.filter(identity=""):
        event.identity = secrets.token_hex(16)
        event.save(update_fields=["identity"])


def nothing(apps, schema_editor):
    """Going back, the names go with their column."""


class Migration(migrations.Migration):

    dependencies = [
        ('tournament', '0015_stages_zone_contact_consent'),
    ]

    operations = [
        # Adding columns makes SQLite build the table anew, without its trigger.
        migrations.RunPython(runs(DROPPED), runs(BEFORE)),
        migrations.AddField(
            model_name='event',
            name='away_since',
            field=models.DateTimeField(editable=False, null=True, verbose_name='elsewhere since'),
        ),
        migrations.AddField(
            model_name='event',
            name='brought',
            field=models.JSONField(default=list, editable=False),
        ),
        migrations.AddField(
            model_name='event',
            name='identity',
            field=models.CharField(default='', editable=False, max_length=32),
        ),
        migrations.AddField(
            model_name='event',
            name='journey',
            field=models.PositiveIntegerField(default=0, editable=False),
        ),
        migrations.AddField(
            model_name='event',
            name='keep_days',
            field=models.PositiveSmallIntegerField(blank=True, editable=False, null=True, validators=[django.core.validators.MinValueValidator(1), django.core.validators.MaxValueValidator(3650)], verbose_name='days after which personal data is deleted'),
        ),
        migrations.AddField(
            model_name='event',
            name='locked_at',
            field=models.DateTimeField(editable=False, null=True, verbose_name='locked at'),
        ),
        migrations.AddField(
            model_name='event',
            name='purged_at',
            field=models.DateTimeField(editable=False, null=True, verbose_name='personal data deleted at'),
        ),
        migrations.AddField(
            model_name='historyentry',
            name='redacted',
            field=models.BooleanField(default=False),
        ),
        migrations.AddField(
            model_name='historyentry',
            name='salt',
            field=models.CharField(blank=True, max_length=32),
        ),
        migrations.AddField(
            model_name='historyentry',
            name='seal',
            field=models.CharField(blank=True, max_length=64),
        ),
        migrations.AddField(
            model_name='historyentry',
            name='version',
            field=models.PositiveSmallIntegerField(default=1),
        ),
        migrations.RunPython(runs(NOW), runs(DROPPED)),
        migrations.RunPython(name_events, nothing),
        migrations.AlterField(
            model_name='event',
            name='identity',
            field=models.CharField(default=tournament.models.event.new_identity, editable=False, max_length=32, unique=True),
        ),
        migrations.AddField(
            model_name='registration',
            name='anonymous',
            field=models.BooleanField(default=False, editable=False),
        ),
        migrations.CreateModel(
            name='Certificate',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('place', models.PositiveSmallIntegerField(null=True, verbose_name='place')),
                ('code', models.CharField(default=tournament.models.certificate.new_code, editable=False, max_length=32, unique=True)),
                ('issued_at', models.DateTimeField(verbose_name='issued at')),
                ('withdrawn_at', models.DateTimeField(null=True, verbose_name='withdrawn at')),
                ('registration', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='certificates', to='tournament.registration')),
            ],
            options={
                'verbose_name': 'certificate',
                'verbose_name_plural': 'certificates',
                'ordering': ['registration', 'pk'],
                'constraints': [models.UniqueConstraint(condition=models.Q(('withdrawn_at__isnull', True)), fields=('registration',), name='one_certificate_that_holds')],
            },
        ),
    ]
