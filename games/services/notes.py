"""Lines of a hand's log that are no action: what the table or an organizer did to the match."""

from games.store import Change

# More of them between two actions are not told: the numbers of the log's lines would run out.
MOST = 40


def add(change: Change, text: str) -> None:
    """Tell everybody at the table, in the log of the hand in play."""
    state, after = change.get("state"), len(change.old.actions)
    notes = state.get("notes", [])
    place = sum(note["after"] == after for note in notes)
    if change.old.hand is not None and place < MOST:
        note = {"after": after, "place": place, "text": text}
        change.match["state"] = {**state, "notes": [*notes, note]}
