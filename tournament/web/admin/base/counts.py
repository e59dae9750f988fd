"""Sentences about the number of people affected by an action."""

from django.utils.translation import ngettext


def describe_approved(count: int, chosen: int | None = None) -> str:
    """Describe how many registrations were approved.

    `chosen` is the number of selected registrations. The others already had a spot.
    """
    already_placed = chosen - count if chosen else 0
    sentences = []
    if count or not already_placed:
        sentences.append(
            ngettext("{count} approved.", "{count} approved.", count).format(count=count)
        )
    if already_placed:
        text = ngettext(
            "{count} already has a spot.", "{count} already have a spot.", already_placed
        )
        sentences.append(text.format(count=already_placed))
    return " ".join(sentences)


def describe_refused(count: int) -> str:
    return ngettext("{count} rejected.", "{count} rejected.", count).format(count=count)


def describe_withdrawn(count: int) -> str:
    return ngettext("{count} withdrawn.", "{count} withdrawn.", count).format(count=count)


def describe_removed(count: int) -> str:
    text = ngettext(
        "{count} student removed from the list.", "{count} students removed from the list.", count
    )
    return text.format(count=count)
