// The socket's views, whole again out of what the site sends of them. Pure.

const LINES = 30;

/** What a view is made whole from: the last one of this socket. */
export class Views {
  constructor() {
    this.forget();
  }

  /** The next view comes whole, as a new socket's does. */
  forget() {
    /** @type {Protocol.View|null} */
    this.last = null;
  }

  /** The message with the whole view; null for changes of a view that is not the last one here.
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

/** The view with these changes; the old one stays as it is.
 * @param {Protocol.WindowView} view @param {Protocol.Changes} changes @returns {Protocol.WindowView} */
export function patched(view, changes) {
  const log = changes.view.log ?? [...view.log, ...changes.log].slice(-LINES);
  const seats = view.seats.map((seat) => ({ ...seat, ...changes.seats[seat.seat] }));
  const lines = { ...stillShown(view.own_lines, log), ...changes.own_lines };
  return /** @type {any} */ ({ ...view, seats, own_lines: lines, ...changes.view, log });
}

/** Own lines without those that are gone from the log.
 * @param {Record<string, string>} lines @param {Protocol.LogLine[]} log */
function stillShown(lines, log) {
  const first = log[0]?.n ?? Infinity;
  return Object.fromEntries(Object.entries(lines).filter(([n]) => Number(n) >= first));
}
