from django.apps import AppConfig, apps
from django.contrib.admin import autodiscover
from django.contrib.admin.apps import SimpleAdminConfig
from django.utils.translation import gettext_lazy

from games.apps import GamesConfig


class TournamentConfig(AppConfig):
    name = "tournament"
    default = True
    verbose_name = gettext_lazy("Tournament")

    def ready(self) -> None:
        # allauth says this by a signal alone; the models behind need all apps.
        from allauth.account.signals import authentication_step_completed
        from allauth.mfa.signals import authenticator_added

        from tournament.plumbing import watch
        from tournament.plumbing.accounts import code_entered, factor_added
        from tournament.services.commentary import EventCommentary

        authentication_step_completed.connect(code_entered)
        authenticator_added.connect(factor_added)
        watch.connect()
        games = apps.get_app_config("games")
        assert isinstance(games, GamesConfig)
        games.commentary = EventCommentary()


class LastcardAdminConfig(SimpleAdminConfig):
    """Stock admin on our own site class."""

    default_site = "tournament.plumbing.admin_site.LastcardAdminSite"

    def ready(self) -> None:
        super().ready()
        autodiscover()
