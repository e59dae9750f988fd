"""People: one account per person, named by e-mail address."""

from django.contrib.auth.models import AbstractUser
from django.db import models


class User(AbstractUser):
    """An account; a person becomes a player by a registration in an event."""

    email = models.EmailField("e-mail address", unique=True)
    display_name = models.CharField("name shown at tables", max_length=40, blank=True)

    def __str__(self) -> str:
        return self.display_name or self.get_full_name() or self.username
