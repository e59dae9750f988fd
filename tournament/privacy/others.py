"""Personal data in third-party models, declared as in the site's own models."""

from collections.abc import Mapping

from django.utils.translation import gettext_lazy as _

from games.models.personal import ColumnAudience, Personal, Purpose, Retention, Topic

_WITH_ACCOUNT = "with the person's account"
# A test checks that this lists every third-party model with personal data.
OTHERS: Mapping[str, Personal] = {
    "admin.logentry": Personal(
        scrubbed="object_id object_repr change_message",
        purposes=(
            Purpose(
                "object_id object_repr change_message",
                Topic.LOGS,
                _(
                    "Changes that organizers made on the database pages: when, and in which row "
                    "and columns"
                ),
                _("So that mistakes made on those pages can be corrected."),
                ColumnAudience.OPERATORS,
                Retention.LOG,
            ),
        ),
    ),
    "auth.permission": Personal(free={"codes": "name codename"}),
    "auth.group": Personal(free={"groups are not used": "name"}),
    "contenttypes.contenttype": Personal(free={"codes": "app_label model"}),
    "sessions.session": Personal(
        about="session_key session_data",
        goes=_WITH_ACCOUNT,
        purposes=(
            Purpose(
                "session_key session_data",
                Topic.ACCOUNT,
                _("The browsers in which you are signed in"),
                _("So that you don’t have to sign in on every page."),
                ColumnAudience.NOBODY,
                Retention.SESSION,
            ),
        ),
    ),
    "account.emailaddress": Personal(
        who="email",
        goes=_WITH_ACCOUNT,
        whose="user",
        purposes=(
            Purpose(
                "email verified primary",
                Topic.ACCOUNT,
                _("Whether you have confirmed that this address is yours"),
                _("So that no one else can play using your address."),
                ColumnAudience.STAFF,
                Retention.ACCOUNT,
            ),
        ),
    ),
    "account.emailconfirmation": Personal(free={"a random key": "key"}, goes=_WITH_ACCOUNT),
    "socialaccount.socialaccount": Personal(
        who="uid",
        about="extra_data",
        goes=_WITH_ACCOUNT,
        whose="user",
        free={"a code": "provider"},
        purposes=(
            Purpose(
                "uid extra_data last_login date_joined",
                Topic.ACCOUNT,
                _(
                    "If you sign in with a college account: its number, and the details your "
                    "college shares about you"
                ),
                _("To recognize you."),
                ColumnAudience.YOU,
                Retention.ACCOUNT,
            ),
        ),
    ),
    "socialaccount.socialapp": Personal(
        free={"no rows": "provider provider_id name client_id secret key settings"}
    ),
    "socialaccount.socialtoken": Personal(free={"no rows": "token token_secret"}),
    "mfa.authenticator": Personal(
        about="data",
        goes=_WITH_ACCOUNT,
        whose="user",
        sealed="data",
        purposes=(
            Purpose(
                "type data created_at last_used_at",
                Topic.ACCOUNT,
                _("Your second factors, if any, and when they were set up and last used"),
                _("To make signing in safer."),
                ColumnAudience.NOBODY,
                Retention.ACCOUNT,
            ),
        ),
    ),
    "django_tasks_database.dbtaskresult": Personal(
        scrubbed="args_kwargs return_value traceback",
        free={"codes": "task_path worker_ids queue_name backend_name exception_class_path"},
        purposes=(
            Purpose(
                "args_kwargs return_value traceback",
                Topic.LOGS,
                _("Tasks that the site carries out in the background, and any errors in them"),
                _("To send emails and make forecasts without slowing down pages."),
                ColumnAudience.OPERATORS,
                Retention.TASK,
            ),
        ),
    ),
    "tournament.registration_apart_from": Personal(
        purposes=(
            Purpose(
                "from_registration to_registration",
                Topic.REGISTRATION,
                _("People who are never seated at your table"),
                _("To seat people apart if they have asked for that."),
                ColumnAudience.ORGANIZERS,
                Retention.EVENT,
            ),
        ),
    ),
}
