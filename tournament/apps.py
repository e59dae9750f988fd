from django.apps import AppConfig
from django.contrib.admin import autodiscover
from django.contrib.admin.apps import SimpleAdminConfig


class TournamentConfig(AppConfig):
    name = "tournament"
    default = True
    verbose_name = "Tournament"


class LastcardAdminConfig(SimpleAdminConfig):
    """Stock admin on our own site class."""

    default_site = "tournament.admin_site.LastcardAdminSite"

    def ready(self) -> None:
        super().ready()
        autodiscover()
