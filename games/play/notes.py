"""Log lines that are not actions: changes made by the table or an organizer."""

from dataclasses import replace

from games.json_values.state import LogNote
from games.store import MatchChange

# Maximum number of notes between two actions. More would exhaust the log's line numbers, so they
# are dropped.
MAX_NOTES = 40
# Consecutive notes with this code are merged into one, with the sum of their seconds.
MERGED_CODE = "outage"


def add(change: MatchChange, code: str, **facts: int | str) -> None:
    """Add a note to the log of the hand in play.

    games/tables/notes.py lists the codes and their facts, and translates them for readers.
    """
    state, after = change.state, len(change.old.actions)
    last = state.notes[-1] if state.notes else None
    if last is not None and code == MERGED_CODE and (last.code, last.after) == (code, after):
        seconds = int(last.facts["seconds"]) + int(facts["seconds"])
        summed = replace(last, facts={**last.facts, "seconds": seconds})
        change.state = replace(state, notes=(*state.notes[:-1], summed))
        return
    place = sum(note.after == after for note in state.notes)
    if change.old.hand is not None and place < MAX_NOTES:
        change.state = replace(state, notes=(*state.notes, LogNote(after, place, code, facts)))
