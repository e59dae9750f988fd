"""Log lines that are not actions: changes made by the table or an organizer."""

from dataclasses import replace

from games.json_values.state import LogNote
from games.store import MatchChange

# More notes between two actions would exhaust the line numbers of the log, so they are dropped.
MOST = 40
# Consecutive notes with this code are merged into one with the sum of their seconds.
SUMMED = "outage"


def add(change: MatchChange, code: str, **facts: int | str) -> None:
    """Add a note to the log of the hand in play, shown to each reader in their own language.

    `code` and `facts` are those of games/tables/notes.py.
    """
    state, after = change.state, len(change.old.actions)
    last = state.notes[-1] if state.notes else None
    if last is not None and code == SUMMED and (last.code, last.after) == (code, after):
        seconds = int(last.facts["seconds"]) + int(facts["seconds"])
        summed = replace(last, facts={**last.facts, "seconds": seconds})
        change.state = replace(state, notes=(*state.notes[:-1], summed))
        return
    place = sum(note.after == after for note in state.notes)
    if change.old.hand is not None and place < MOST:
        change.state = replace(state, notes=(*state.notes, LogNote(after, place, code, facts)))
