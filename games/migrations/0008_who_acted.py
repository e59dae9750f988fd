"""Who acted for a player is told by words that can be translated."""

from django.db import migrations, models


class Migration(migrations.Migration):

    dependencies = [
        ('games', '0007_occasions'),
    ]

    operations = [
        migrations.AlterField(
            model_name='loggedaction',
            name='auto',
            field=models.CharField(blank=True, choices=[('bot', 'bot'), ('timeout', 'timeout'), ('away', 'away')], max_length=10, verbose_name='auto'),
        ),
    ]
