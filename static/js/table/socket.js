// The socket that never gives up: heartbeat, silence found within 9 seconds (of who watches within
// 15), back-off with jitter, actions sent again. It knows nothing of cards. Time and sockets are
// handed in.

import { Views } from "./changes.js";
import { Outbox } from "./outbox.js";

export const PING_MS = 2500;
export const SILENCE_MS = 7000;
// Nobody waits for who watches.
export const WATCH_MS = 10_000;
export const TICK_MS = 500;
// A tick that comes so late says nothing about the server: the page was hidden, or busy.
const LATE_MS = 3000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8000;
// Codes after which trying again is no use.
/** @type {Record<number, string>} */
const FINAL = { 4401: "signed-out", 4403: "seat-lost", 4404: "unknown" };
// The session has ended. The browser may have a new one, as after a new password.
const SIGNED_OUT = 4401;
const NEW_SESSION_MS = 2000;
// Only after a rest.
const TOO_MANY = 1008;
// There is no room now; the server's reason says why.
const FULL = 1013;
const FULL_WAIT_MS = 30_000;
const RESTART = 1012;
// Lower close codes do not come from the server: the connection broke, or something in between closed it.
const OURS = 1008;
const LOST = 1006;
// If so many sockets in a row were silent, the network may block them.
const UNHEARD = 3;

/** Milliseconds before try number `attempt` (0, 1, …): doubled each time, and a random half of
 * it taken off, so that a hall full of phones does not come back at once.
 * @param {number} attempt */
export function backoff(attempt, random = Math.random) {
  const full = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt);
  return full * (0.5 + random() / 2);
}

/** Whether a message is the last word on what was asked. "unavailable" is not: try again.
 * @param {Protocol.ServerMessage} message */
function settles({ type, code }) {
  return type === "ack" || (type === "refused" && code !== "unavailable");
}

/** @typedef {{name: string, retryAt?: number, reason?: string|undefined}} Status `name`: connecting (until something
 *   is heard), live, waiting, restarting, signed-out, seat-lost, unknown */

/** @typedef {WebSocket & {reason?: string}} Line a WebSocket, or a polling socket with the reason why it polls */

/** @typedef {Exclude<Protocol.ServerMessage, Protocol.Changes>} Heard what the page hears: every view is whole */

export class Connection {
  /**
   * @param {object} options
   * @param {() => Line} options.open makes a new socket
   * @param {() => number} options.version the last version that the page has
   * @param {(message: Heard) => void} options.onmessage
   * @param {(status: Status) => void} options.onstatus
   * @param {() => void} [options.onblocked] called if the network may block WebSockets, because they break or stay silent
   * @param {() => number} [options.beat] milliseconds between two pings
   * @param {() => number} [options.now] in milliseconds
   * @param {() => number} [options.random] from 0 to 1
   * @param {() => string} [options.newId]
   */
  constructor({ open, version, onmessage, onstatus, onblocked = () => {}, beat = () => PING_MS, now = Date.now, random = Math.random, newId }) {
    this.open = open;
    this.version = version;
    this.onmessage = onmessage;
    this.onstatus = onstatus;
    this.onblocked = onblocked;
    this.beat = beat;
    this.now = now;
    this.random = random;
    this.outbox = new Outbox(newId);
    this.views = new Views();
    this.attempt = 0;
    /** @type {Line|null} */
    this.socket = null;
    /** @type {Status} */
    this.status = { name: "waiting" };
    this.openedAt = this.heardAt = this.pingedAt = this.tickedAt = 0;
    // Whether silence is counted from a late tick, and whether the session is asked about again.
    this.late = this.asksAgain = false;
    // Number of sockets so far, and of the last ones in a row that never answered.
    this.sockets = this.unheard = 0;
    // Of the present socket: pings sent, pongs heard, and by a message's id the first ping after it.
    this.pings = this.pongs = 0;
    /** @type {Map<string, number>} */
    this.behind = new Map();
  }

  start() {
    this.tickedAt = this.now();
    this.#connect();
  }

  /** Call this twice a second. */
  tick() {
    const now = this.now();
    if (now - this.tickedAt > LATE_MS && !this.late) {
      this.late = true;
      this.heardAt = this.openedAt = now;
    }
    this.tickedAt = now;
    if (this.status.name === "live") this.#tickLive(now);
    else if (this.status.name === "connecting" && now - this.openedAt > SILENCE_MS) this.#unheard();
    else if (this.status.retryAt && now >= this.status.retryAt) this.#connect();
  }

  /** The page has come back, or the network: a socket that looks open may be long dead. */
  wake() {
    if (this.#given_up()) return;
    this.attempt = 0;
    this.#connect();
  }

  /** The device says that it has no network: no need to wait for silence. */
  offline() {
    if (!this.#given_up()) this.#lost();
  }

  /** Send an action, with the version that the player sees. Its id.
   * @param {Protocol.Action} action */
  act(action) {
    return this.ask({ type: "action", version: this.version(), action });
  }

  /** Send what wants an answer; if there is no socket now it goes with the next one. Its id.
   * @param {object} content */
  ask(content) {
    const message = this.outbox.add(content, this.now());
    this.#send(message);
    return message.id;
  }

  /** The same, with a ping behind it, so that `reached` can be told soon.
   * @param {object} content */
  askAndPing(content) {
    const id = this.ask(content);
    this.#ping(this.now());
    return id;
  }

  /** Whether the server has answered a ping that was sent behind this message, over one socket: it
   * has got both. @param {string} id */
  reached(id) {
    return this.pongs >= (this.behind.get(id) ?? Infinity);
  }

  /** @param {Protocol.ClientMessage} message */
  send(message) {
    this.#send(message);
  }

  /** No new socket until somebody signs in again. */
  signOut() {
    this.#drop();
    this.#become({ name: FINAL[SIGNED_OUT] });
  }

  /** @param {number} now */
  #tickLive(now) {
    const beat = this.beat();
    if (now - this.heardAt >= SILENCE_MS - PING_MS + beat) return this.#lost();
    if (now - this.pingedAt >= beat) this.#ping(now);
    return this.outbox.due(now).forEach((message) => this.#send(message));
  }

  /** @param {number} now */
  #ping(now) {
    this.pingedAt = now;
    if (this.#send({ type: "ping", version: this.version() })) this.pings += 1;
  }

  #connect() {
    this.#drop();
    this.sockets += 1;
    this.pings = this.pongs = 0;
    this.behind.clear();
    this.views.forget();
    const socket = this.open();
    this.socket = socket;
    this.openedAt = this.now();
    this.late = false;
    socket.onopen = () => socket === this.socket && this.#opened();
    socket.onmessage = (event) => socket === this.socket && this.#heard(JSON.parse(event.data));
    socket.onclose = (event) => socket === this.socket && this.#closed(event.code, event.reason);
    this.#become({ name: "connecting" });
  }

  #opened() {
    this.pingedAt = this.now();
    this.outbox.all(this.now()).forEach((message) => this.#send(message));
  }

  /** @param {Protocol.ServerMessage} message */
  #heard(message) {
    this.heardAt = this.now();
    this.attempt = 0;
    this.late = this.asksAgain = false;
    this.unheard = 0;
    if (this.status.name !== "live") this.#become({ name: "live", reason: this.socket?.reason });
    if (message.type === "probe") {
      this.#send({ type: "echo", n: message.n });
      return;
    }
    if (message.type === "pong") this.pongs += 1;
    if (settles(message)) this.#settle(message.id ?? "");
    if (message.type === "pong" && message.version > this.version()) this.#send({ type: "sync" });
    if (message.type === "view" || message.type === "changes") this.#seen(message);
    else this.onmessage(message);
  }

  /** Who has missed something is sent the whole view.
   * @param {Protocol.View|Protocol.Changes} message */
  #seen(message) {
    const whole = this.views.whole(message);
    if (whole) this.onmessage(whole);
    else this.#send({ type: "sync" });
  }

  /** @param {number} code @param {string} reason */
  #closed(code, reason) {
    this.socket = null;
    if (code === SIGNED_OUT && !this.asksAgain) {
      this.asksAgain = true;
      return this.#lost("waiting", "", NEW_SESSION_MS);
    }
    // Without its session a practice table is unknown.
    if (FINAL[code]) return this.#become({ name: FINAL[this.asksAgain ? SIGNED_OUT : code] });
    if (code === TOO_MANY) this.attempt = Math.max(this.attempt, 4);
    const name = code === RESTART ? "restarting" : "waiting";
    const told = [LOST, TOO_MANY, FULL].includes(code) ? reason : "";
    if (code < OURS && this.status.name === "connecting") return this.#unheard(told);
    return this.#lost(name, told, code === FULL ? FULL_WAIT_MS * (1 + this.random()) : undefined);
  }

  /** Handle the end of a socket that never answered. */
  #unheard(reason = "") {
    this.#lost("waiting", reason);
    this.unheard += 1;
    if (this.unheard % UNHEARD === 0) this.onblocked();
  }

  #lost(name = "waiting", reason = "", wait = backoff(this.attempt, this.random)) {
    this.#drop();
    this.attempt += 1;
    this.#become({ name, reason, retryAt: this.now() + wait });
  }

  #drop() {
    const socket = this.socket;
    this.socket = null;
    if (socket) socket.close();
  }

  /** Whether there was a socket to send it over. @param {Protocol.ClientMessage} message */
  #send(message) {
    if (this.socket?.readyState !== 1) return false;
    this.socket.send(JSON.stringify(message));
    if ("id" in message && message.id && !this.behind.has(message.id)) this.behind.set(message.id, this.pings + 1);
    return true;
  }

  /** @param {string} id */
  #settle(id) {
    this.outbox.settle(id);
    this.behind.delete(id);
  }

  /** @param {Status} status */
  #become(status) {
    this.status = status;
    this.onstatus(status);
  }

  #given_up() {
    return Object.values(FINAL).includes(this.status.name);
  }
}
