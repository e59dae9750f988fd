// Messages that want an answer of the server: sent again with the same id until it comes. Pure:
// the caller hands in the time.

/** @typedef {Protocol.Act|Protocol.Commit|Protocol.Open|Protocol.Ready|Protocol.CallReferee|Protocol.TakeCallBack|Protocol.React} Asked */

export const RESEND_MS = 2500;

export class Outbox {
  constructor(newId = randomId) {
    this.newId = newId;
    /** @type {Map<string, {message: Asked, sentAt: number}>} */
    this.entries = new Map();
  }

  /** Note it as sent at `now`; the message to send, with its id. A repeated message is the same,
   * to the letter.
   * @param {object} content @param {number} now */
  add(content, now) {
    const message = /** @type {Asked} */ ({ id: this.newId(), ...content });
    this.entries.set(message.id, { message, sentAt: now });
    return message;
  }

  /** Messages that have waited too long for an answer; they count as sent again now.
   * @param {number} now */
  due(now) {
    return this.#take(now, ({ sentAt }) => now - sentAt >= RESEND_MS);
  }

  /** Everything unanswered, for a new socket.
   * @param {number} now */
  all(now) {
    return this.#take(now, () => true);
  }

  /** The server has answered this id, either way. Whether it was one of ours.
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

/** 128 random bits. Not crypto.randomUUID: that is missing on a venue's plain http. */
export function randomId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
