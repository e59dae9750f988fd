from django.apps import AppConfig
from django.contrib.admin import autodiscover
from django.contrib.admin.apps import SimpleAdminConfig


class TournamentConfig(AppConfig):
    name = "tournament"
    default = True
    verbose_name = "Tournament"

    def ready(self) -> None:
        # allauth says this by a signal alone; the models behind need all apps.
        from allauth.account.signals import authentication_step_completed

        from games.live.access import set_commentary
        from tournament.plumbing.accounts import code_entered
        from tournament.services.commentary import EventCommentary

        authentication_step_completed.connect(code_entered)
        set_commentary(EventCommentary())


class LastcardAdminConfig(SimpleAdminConfig):
    """Stock admin on our own site class."""

    default_site = "tournament.plumbing.admin_site.LastcardAdminSite"

    def ready(self) -> None:
        super().ready()
        autodiscover()
