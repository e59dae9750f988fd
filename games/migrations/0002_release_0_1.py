"""The tables of release 0.1, for a new site; a site of before has them already."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):

    initial = True
    # A database that has carried out all of these goes on from here.
    replaces = [
        ('games', '0023_looks'),
    ]

    dependencies = [
        ('games', '0001_release_0_1'),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name='seat',
            name='user',
            field=models.ForeignKey(blank=True, null=True, on_delete=django.db.models.deletion.SET_NULL, related_name='+', to=settings.AUTH_USER_MODEL, verbose_name='user'),
        ),
        migrations.AddField(
            model_name='roundtrip',
            name='seat',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='trips', to='games.seat', verbose_name='seat'),
        ),
        migrations.AddField(
            model_name='reaction',
            name='seat',
            field=models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='reactions', to='games.seat', verbose_name='seat'),
        ),
        migrations.AddConstraint(
            model_name='loggedaction',
            constraint=models.UniqueConstraint(fields=('hand', 'number'), name='action_once'),
        ),
        migrations.AddConstraint(
            model_name='loggedaction',
            constraint=models.UniqueConstraint(condition=models.Q(('client_id', ''), _negated=True), fields=('hand', 'player', 'client_id'), name='action_client_id_once'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(condition=models.Q(('due__isnull', False)), fields=['due'], name='match_due'),
        ),
        migrations.AddIndex(
            model_name='match',
            index=models.Index(condition=models.Q(('ended_at__isnull', False)), fields=['ended_at'], name='match_ended'),
        ),
        migrations.AddConstraint(
            model_name='match',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('ended__gt', ''), ('phase', 'over')), models.Q(models.Q(('phase', 'over'), _negated=True), ('ended', '')), _connector='OR'), name='match_ended_when_over'),
        ),
        migrations.AddConstraint(
            model_name='match',
            constraint=models.CheckConstraint(condition=models.Q(('due__isnull', True), ('phase__in', ['playing', 'between']), _connector='OR'), name='match_due_only_while_played'),
        ),
        migrations.AddConstraint(
            model_name='hand',
            constraint=models.UniqueConstraint(fields=('match', 'number'), name='match_hand_once'),
        ),
        migrations.AddConstraint(
            model_name='hand',
            constraint=models.CheckConstraint(condition=models.Q(('points__isnull', True), ('ended_at__isnull', False), _connector='OR'), name='hand_points_when_ended'),
        ),
        migrations.AddIndex(
            model_name='review',
            index=models.Index(condition=models.Q(('answer__isnull', True), ('failed', False)), fields=['asked_at'], name='review_waiting'),
        ),
        migrations.AddIndex(
            model_name='seat',
            index=models.Index(condition=models.Q(('guest', ''), _negated=True), fields=['guest'], name='seat_guest'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(fields=('match', 'number'), name='match_seat_once'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.UniqueConstraint(fields=('match', 'user'), name='match_user_once'),
        ),
        migrations.AddConstraint(
            model_name='seat',
            constraint=models.CheckConstraint(condition=models.Q(models.Q(('bot', ''), ('guest', '')), models.Q(('user', None), models.Q(('bot', ''), ('guest', ''), _connector='OR')), _connector='OR'), name='seat_held_by_one'),
        ),
    ]
