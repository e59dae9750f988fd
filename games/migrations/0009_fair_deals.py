"""Hands keep the attempts to deal them; a deck is there from the deal on."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0008_who_acted'),
    ]

    operations = [
        migrations.AddField(
            model_name='hand',
            name='deals',
            field=models.JSONField(default=dict),
        ),
        migrations.AddField(
            model_name='match',
            name='share_seconds',
            field=models.PositiveSmallIntegerField(default=0, verbose_name='share seconds'),
        ),
        migrations.AlterField(
            model_name='hand',
            name='dealer',
            field=models.PositiveSmallIntegerField(blank=True, null=True, verbose_name='dealer'),
        ),
        migrations.AlterField(
            model_name='hand',
            name='deck',
            field=models.JSONField(blank=True, default=list, verbose_name='deck'),
        ),
        migrations.AlterField(
            model_name='hand',
            name='nonce',
            field=models.CharField(blank=True, max_length=64, verbose_name='nonce'),
        ),
    ]
