// Restores complete views from the changes that the site sends. Pure.

const LINES = 30;

/** The last view of a socket, to which the next changes apply. */
export class Views {
  constructor() {
    this.forget();
  }

  /** Expect a complete view next, as after a new socket. */
  forget() {
    /** @type {Protocol.View|null} */
    this.last = null;
  }

  /** Return the message with the complete view, or null if the changes apply to another view than the last
   * one.
   * @param {Protocol.View|Protocol.Changes} message @returns {Protocol.View|null} */
  whole(message) {
    if (message.type === "changes") {
      if (this.last?.version !== message.since) return null;
      const { version, events } = message;
      this.last = { type: "view", version, view: patched(this.last.view, message), events };
    } else this.last = message;
    return this.last;
  }
}

/** Return the view with these changes. The old view is not modified.
 * @param {Protocol.WindowView} view @param {Protocol.Changes} changes @returns {Protocol.WindowView} */
export function patched(view, changes) {
  const log = changes.view.log ?? [...view.log, ...changes.log].slice(-LINES);
  const seats = view.seats.map((seat) => ({ ...seat, ...changes.seats[seat.seat] }));
  const lines = { ...stillShown(view.own_lines, log), ...changes.own_lines };
  return /** @type {any} */ ({ ...view, seats, own_lines: lines, ...changes.view, log });
}

/** Return the own lines that are still in the log.
 * @param {Record<string, string>} lines @param {Protocol.LogLine[]} log */
function stillShown(lines, log) {
  const first = log[0]?.n ?? Infinity;
  return Object.fromEntries(Object.entries(lines).filter(([n]) => Number(n) >= first));
}
