// Messages that need an answer from the server. They are sent again with the same id until the answer
// arrives. Pure: the caller passes the time.

/** @typedef {Protocol.Act|Protocol.Commit|Protocol.Open|Protocol.Ready|Protocol.CallReferee|Protocol.TakeCallBack|Protocol.React} Asked */

export const RESEND_MS = 2500;

export class Outbox {
  constructor(newId = randomId) {
    this.newId = newId;
    /** @type {Map<string, {message: Asked, sentAt: number}>} */
    this.entries = new Map();
  }

  /** Record a message as sent at `now`, and return it with its id. A repeated message is identical.
   * @param {object} content @param {number} now */
  add(content, now) {
    const message = /** @type {Asked} */ ({ id: this.newId(), ...content });
    this.entries.set(message.id, { message, sentAt: now });
    return message;
  }

  /** Return the messages that have waited too long for an answer. They count as sent again now.
   * @param {number} now */
  due(now) {
    return this.#take(now, ({ sentAt }) => now - sentAt >= RESEND_MS);
  }

  /** Return everything unanswered, for a new socket. @param {number} now */
  all(now) {
    return this.#take(now, () => true);
  }

  /** Remove the message with this id after an answer of either kind, and return whether it was one of ours.
   * @param {string} id */
  settle(id) {
    return this.entries.delete(id);
  }

  get empty() {
    return this.entries.size === 0;
  }

  /** @param {number} now @param {(entry: {message: Asked, sentAt: number}) => boolean} wanted */
  #take(now, wanted) {
    const entries = [...this.entries.values()].filter(wanted);
    for (const entry of entries) entry.sentAt = now;
    return entries.map(({ message }) => message);
  }
}

/** Return 128 random bits. They do not come from crypto.randomUUID, which is missing on a venue's plain HTTP. */
export function randomId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
