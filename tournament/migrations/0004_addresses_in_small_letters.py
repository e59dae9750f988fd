"""Addresses are kept in small letters, and two that differ in capitals alone are one."""

from collections import Counter

from django.core.management import CommandError
from django.db import migrations, models
from django.db.models.functions import Lower


def refuse_clashes(addresses):
    seen = Counter(address.lower() for address in addresses)
    if clashing := [address for address in addresses if seen[address.lower()] > 1]:
        raise CommandError(
            "These accounts have the same address but for capitals: "
            f"{', '.join(sorted(clashing, key=str.lower))}. Nothing was changed. Give all but one "
            "of each another address (with the version before this one, in the admin under Users), "
            "then migrate again."
        )


def small_letters(apps, schema_editor):
    people = apps.get_model("tournament", "User").objects
    refuse_clashes(list(people.order_by("pk").values_list("email", flat=True)))
    for person in people.only("email"):
        if person.email != person.email.lower():
            people.filter(pk=person.pk).update(email=person.email.lower())


class Migration(migrations.Migration):

    dependencies = [
        ("tournament", "0003_registrations_that_ended"),
    ]

    operations = [
        migrations.AlterModelManagers(name="user", managers=[]),
        migrations.RunPython(small_letters, migrations.RunPython.noop),
        migrations.AddConstraint(
            model_name="user",
            constraint=models.UniqueConstraint(
                Lower("email"),
                name="one_account_per_address",
                violation_error_message="There is an account with this address.",
            ),
        ),
    ]
