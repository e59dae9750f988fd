"""Processes beat, and what was missed is kept; matches know the last that they were given."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0009_fair_deals'),
    ]

    operations = [
        migrations.CreateModel(
            name='Beat',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('process', models.CharField(max_length=16, unique=True, verbose_name='process')),
                ('machine', models.CharField(max_length=40, verbose_name='machine')),
                ('at', models.DateTimeField(verbose_name='at')),
                ('wall', models.DateTimeField(verbose_name='wall clock')),
                ('steady', models.FloatField(verbose_name='steady clock')),
                ('dead', models.BooleanField(default=False, verbose_name='dead')),
            ],
            options={
                'verbose_name': 'beat',
                'verbose_name_plural': 'beats',
                'ordering': ['-at'],
            },
        ),
        migrations.CreateModel(
            name='Outage',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('after', models.DateTimeField(unique=True, verbose_name='after')),
                ('began', models.DateTimeField(verbose_name='began')),
                ('away', models.FloatField(default=0.0, verbose_name='away')),
                ('step', models.FloatField(default=0.0, verbose_name='step')),
                ('settled', models.BooleanField(default=False, verbose_name='settled')),
            ],
            options={
                'verbose_name': 'outage',
                'verbose_name_plural': 'outages',
                'ordering': ['-pk'],
            },
        ),
        migrations.AddField(
            model_name='match',
            name='outage',
            field=models.PositiveIntegerField(default=0, verbose_name='outage'),
        ),
        migrations.CreateModel(
            name='RoundTrip',
            fields=[
                ('id', models.BigAutoField(auto_created=True, primary_key=True, serialize=False, verbose_name='ID')),
                ('at', models.DateTimeField(verbose_name='at')),
                ('echo', models.PositiveIntegerField(null=True, verbose_name='echo')),
                ('ping', models.PositiveIntegerField(null=True, verbose_name='ping')),
                ('seat', models.ForeignKey(on_delete=django.db.models.deletion.CASCADE, related_name='trips', to='games.seat', verbose_name='seat')),
            ],
            options={
                'verbose_name': 'round trip',
                'verbose_name_plural': 'round trips',
                'ordering': ['seat', 'at'],
            },
        ),
    ]
