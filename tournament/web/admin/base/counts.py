"""Sentences about how many people an action affected, shown afterwards."""

from django.utils.translation import ngettext


def describe_approved(count: int, chosen: int | None = None) -> str:
    """Describe how many were approved. `chosen`: the number selected; the rest had a place."""
    placed = chosen - count if chosen else 0
    told = []
    if count or not placed:
        told.append(ngettext("{count} approved.", "{count} approved.", count).format(count=count))
    if placed:
        text = ngettext("{count} already has a spot.", "{count} already have a spot.", placed)
        told.append(text.format(count=placed))
    return " ".join(told)


def describe_refused(count: int) -> str:
    return ngettext("{count} rejected.", "{count} rejected.", count).format(count=count)


def describe_withdrawn(count: int) -> str:
    return ngettext("{count} withdrawn.", "{count} withdrawn.", count).format(count=count)


def describe_removed(count: int) -> str:
    text = ngettext(
        "{count} student removed from the list.", "{count} students removed from the list.", count
    )
    return text.format(count=count)
