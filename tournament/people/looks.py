"""Players' looks: their chosen colour and face."""

from collections.abc import Mapping

from django.db import transaction
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy, pgettext_lazy

from games.protocol.faces import split_look
from tournament.models import User

COLOR_NAMES: Mapping[str, Promise] = {
    "violet": pgettext_lazy("a colour", "Violet"),
    "copper": pgettext_lazy("a colour", "Copper"),
    "petrol": pgettext_lazy("a colour", "Teal"),
    "pink": pgettext_lazy("a colour", "Pink"),
    "brown": pgettext_lazy("a colour", "Brown"),
    "sage": pgettext_lazy("a colour", "Sage"),
    "wine": pgettext_lazy("a colour", "Wine"),
    "lilac": pgettext_lazy("a colour", "Lilac"),
    "ochre": pgettext_lazy("a colour", "Ochre"),
    "indigo": pgettext_lazy("a colour", "Indigo"),
    "stone": pgettext_lazy("a colour", "Stone"),
    "plum": pgettext_lazy("a colour", "Plum"),
}
SIGN_NAMES: Mapping[str, Promise] = {
    "cat": gettext_lazy("Cat"),
    "rabbit": gettext_lazy("Rabbit"),
    "owl": gettext_lazy("Owl"),
    "bear": gettext_lazy("Bear"),
    "fox": gettext_lazy("Fox"),
    "tiger": gettext_lazy("Tiger"),
    "elephant": gettext_lazy("Elephant"),
    "fish": gettext_lazy("Fish"),
    "bird": gettext_lazy("Bird"),
    "lotus": gettext_lazy("Lotus"),
    "kite": gettext_lazy("Kite"),
    "cup": gettext_lazy("Cup of tea"),
}


@transaction.atomic
def choose_look(user: User, color: str, sign: str) -> None:
    """Set the user's colour and sign. An empty string means the site's default.

    Pages show the change immediately. Matches that have already started do not.
    """
    user.look = " ".join(word for word in split_look(f"{color} {sign}") if word)
    user.save(update_fields=["look"])
    user.registrations.update(look=user.look)
