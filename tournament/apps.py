from functools import partial

from django.apps import AppConfig, apps
from django.contrib.admin import autodiscover
from django.contrib.admin.apps import SimpleAdminConfig
from django.core import checks
from django.utils.translation import gettext_lazy

from games.apps import GamesConfig


class TournamentConfig(AppConfig):
    name = "tournament"
    default = True
    verbose_name = gettext_lazy("Tournament")

    def ready(self) -> None:
        # Imported here, because these modules need the models.
        from allauth.account.signals import authentication_step_completed
        from allauth.mfa.signals import authenticator_added

        from tournament.desk.pending_effects import find_proposal_changing_players
        from tournament.desk.step_effects import stored_facts
        from tournament.oversight import second_person
        from tournament.people.accounts.adapter import hand_over_after_code, record_new_factor
        from tournament.people.accounts.desk_sessions import DeskSessionLimits
        from tournament.people.staff.commentary import EventCommentary
        from tournament.rounds.event_desk import EventDesk
        from tournament.serving.environment.checks import (
            check_sender_address,
            check_variable_names,
        )

        authentication_step_completed.connect(hand_over_after_code)
        authenticator_added.connect(record_new_factor)
        _connect_sign_in_signals()
        checks.register(check_variable_names)
        checks.register(check_sender_address)
        games = apps.get_app_config("games")
        assert isinstance(games, GamesConfig)
        games.commentary = EventCommentary()
        games.desk = EventDesk()
        games.session_limits = DeskSessionLimits()
        second_person.set_outlook(
            second_person.StepOutlook(stored_facts, find_proposal_changing_players)
        )


def _connect_sign_in_signals() -> None:
    """Connect the security log to the signals that report sign-ins and account changes."""
    from allauth.account import signals as account
    from allauth.mfa import signals as mfa
    from allauth.socialaccount.signals import social_account_added
    from django.contrib.auth import signals as auth

    from tournament.people.accounts import security_log
    from tournament.push.services import forget_signed_out_device

    account.user_logged_in.connect(security_log.log_sign_in)
    account.user_logged_out.connect(security_log.log_sign_out)
    auth.user_logged_out.connect(forget_signed_out_device)
    social_account_added.connect(security_log.log_linked_account)
    mfa.authentication_failed.connect(security_log.log_wrong_factor)
    changes = {
        "first password": account.password_set,
        "new password": account.password_changed,
        "new password by mail": account.password_reset,
        "address added": account.email_added,
        "address changed": account.email_changed,
        "address removed": account.email_removed,
        "second factor added": mfa.authenticator_added,
        "second factor removed": mfa.authenticator_removed,
        "new recovery codes": mfa.authenticator_reset,
    }
    for what, signal in changes.items():
        signal.connect(partial(security_log.log_account_change, what), weak=False)


class LastcardAdminConfig(SimpleAdminConfig):
    """Django's standard admin with the project's own site class."""

    default_site = "tournament.web.admin.base.site.LastcardAdminSite"

    def ready(self) -> None:
        super().ready()
        autodiscover()
