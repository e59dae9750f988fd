"""How many people something was done to, in a sentence that is shown afterwards."""

from django.utils.translation import ngettext


def told_approved(count: int) -> str:
    return ngettext("{count} approved.", "{count} approved.", count).format(count=count)


def told_refused(count: int) -> str:
    return ngettext("{count} refused.", "{count} refused.", count).format(count=count)


def told_withdrawn(count: int) -> str:
    return ngettext("{count} withdrawn.", "{count} withdrawn.", count).format(count=count)
