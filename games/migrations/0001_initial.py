import django.db.models.deletion
import games.models
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True

    dependencies = [
    ]

    operations = [
        migrations.CreateModel(
            name='Match',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('public_id', models.CharField(default=games.models.new_public_id, editable=False, max_length=32, unique=True)),
                ('title', models.CharField(blank=True, max_length=80)),
                ('topic', models.CharField(blank=True, max_length=80)),
                ('links', models.JSONField(blank=True, default=dict)),
                ('ruleset', models.CharField(max_length=32, verbose_name='rule set')),
                ('options', models.JSONField(blank=True, default=dict)),
                ('turn_seconds', models.PositiveSmallIntegerField(default=25)),
                ('bot_seconds', models.FloatField(default=1.2)),
                ('between_seconds', models.PositiveSmallIntegerField(default=12)),
                ('hand_limit', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('ends_at', models.DateTimeField(blank=True, null=True)),
                ('practice', models.BooleanField(default=False)),
                ('phase', models.CharField(choices=[('waiting', 'not begun'), ('playing', 'a hand is being played'), ('between', 'between two hands'), ('over', 'over')], default='waiting', max_length=10)),
                ('ended', models.CharField(blank=True, choices=[('target', 'the target was reached'), ('hand-limit', 'the last hand was played'), ('time', 'time was up'), ('abandoned', 'abandoned')], max_length=10)),
                ('ended_reason', models.CharField(blank=True, max_length=300)),
                ('version', models.PositiveIntegerField(default=0)),
                ('state', models.JSONField(default=dict)),
                ('turn_until', models.DateTimeField(blank=True, null=True)),
                ('due', models.DateTimeField(blank=True, null=True)),
                ('paused_at', models.DateTimeField(blank=True, null=True)),
                ('created_at', models.DateTimeField(auto_now_add=True)),
                ('started_at', models.DateTimeField(blank=True, null=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
            ],
            options={
                'verbose_name_plural': 'matches',
                'ordering': ['pk'],
                'indexes': [models.Index(condition=models.Q(('due__isnull', False)), fields=['due'], name='match_due')],
                'constraints': [models.CheckConstraint(condition=models.Q(models.Q(('ended__gt', ''), ('phase', 'over')), models.Q(models.Q(('phase', 'over'), _negated=True), ('ended', '')), _connector='OR'), name='match_ended_when_over'), models.CheckConstraint(condition=models.Q(('due__isnull', True), ('phase__in', ['playing', 'between']), _connector='OR'), name='match_due_only_while_played')],
            },
        ),
        migrations.CreateModel(
            name='Hand',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('players', models.JSONField()),
                ('dealer', models.PositiveSmallIntegerField()),
                ('deck', models.JSONField()),
                ('nonce', models.CharField(max_length=64)),
                ('commitment', models.CharField(max_length=64)),
                ('opening', models.JSONField(default=dict)),
                ('points', models.JSONField(blank=True, null=True)),
                ('left', models.JSONField(blank=True, null=True)),
                ('winner', models.PositiveSmallIntegerField(blank=True, null=True)),
                ('final', models.JSONField(blank=True, null=True)),
                ('void', models.BooleanField(default=False)),
                ('void_reason', models.CharField(blank=True, max_length=300)),
                ('dealt_at', models.DateTimeField(blank=True, null=True)),
                ('ended_at', models.DateTimeField(blank=True, null=True)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='hands', to='games.match')),
            ],
            options={
                'ordering': ['match', 'number'],
            },
        ),
        migrations.CreateModel(
            name='Seat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('name', models.CharField(max_length=40)),
                ('bot', models.CharField(blank=True, max_length=20)),
                ('seen_at', models.DateTimeField(blank=True, null=True)),
                ('controller', models.CharField(blank=True, max_length=16)),
                ('match', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='seats', to='games.match')),
            ],
            options={
                'ordering': ['match', 'number'],
            },
        ),
        migrations.CreateModel(
            name='Action',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('number', models.PositiveSmallIntegerField()),
                ('seat', models.PositiveSmallIntegerField()),
                ('version', models.PositiveIntegerField()),
                ('client_id', models.CharField(blank=True, max_length=64)),
                ('action', models.JSONField()),
                ('auto', models.CharField(blank=True, max_length=10)),
                ('events', models.JSONField()),
                ('chance', models.JSONField(default=list)),
                ('at', models.DateTimeField()),
                ('hand', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='actions', to='games.hand')),
            ],
            options={
                'ordering': ['hand', 'number'],
                'constraints': [models.UniqueConstraint(fields=('hand', 'number'), name='action_once'), models.UniqueConstraint(condition=models.Q(('client_id', ''), _negated=True), fields=('hand', 'seat', 'client_id'), name='action_client_id_once')],
            },
        ),
        migrations.AddConstraint(
            model_name='hand',
            constraint=models.UniqueConstraint(fields=('match', 'number'), name='match_hand_once'),
        ),
        migrations.AddConstraint(
            model_name='hand',
            constraint=models.CheckConstraint(condition=models.Q(('points__isnull', True), ('ended_at__isnull', False), _connector='OR'), name='hand_points_when_ended'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(fields=('match', 'number'), name='match_seat_once'),
        ),
    ]
