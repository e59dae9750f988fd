// The table's connection, which reconnects automatically. It sends pings, detects silence within 9 seconds (15 for
// viewers), backs off with jitter, and repeats actions until they are answered. Changes are merged into complete
// views for the page. Clock and sockets are passed in for tests.

export const PING_MS = 2500;
export const SILENCE_MS = 7000;
// Viewers get fewer pings, because no one waits for their moves.
export const WATCH_MS = 10_000;
export const TICK_MS = 500;
// After a tick this late, the page was hidden or busy, so the silence may not be the server's.
const LATE_MS = 3000;
const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8000;
// Close codes after which the page must not reconnect.
/** @type {Record<number, string>} */
const FINAL = { 4401: "signed-out", 4403: "seat-lost", 4404: "unknown" };
// The session has ended. The browser may have a new session, as after a change of password.
const SIGNED_OUT = 4401;
const NEW_SESSION_MS = 2000;
// Too many connections, so reconnect only after a pause.
const TOO_MANY = 1008;
// The server is full, and its reason explains why.
const FULL = 1013;
const FULL_WAIT_MS = 30_000;
const RESTART = 1012;
// Lower close codes come from the network or a proxy, not from the server.
const OURS = 1008;
const LOST = 1006;
// After this many silent sockets in a row, the network may be blocking WebSockets.
const UNHEARD = 3;
const RESEND_MS = 2500;
// Maximum number of log lines in a view.
const LINES = 30;

/** Return the delay in milliseconds before attempt number `attempt` (0, 1, …). It doubles each time. Up to half of
 * it is removed at random, so that the phones in a hall do not reconnect at the same time.
 * @param {number} attempt */
export function backoff(attempt, random = Math.random) {
  const full = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt);
  return full * (0.5 + random() / 2);
}

/** Return whether a message finally answers a request. After "unavailable", the request is repeated.
 * @param {Protocol.ServerMessage} message */
function settles({ type, code }) {
  return type === "ack" || (type === "refused" && code !== "unavailable");
}

/** @typedef {{name: string, retryAt?: number, reason?: string|undefined}} Status `name`: connecting
 * (until the first message), live, waiting, restarting, signed-out, seat-lost, unknown */

/** @typedef {WebSocket & {reason?: string}} Line a WebSocket, or a polling socket with the reason
 * for polling */

/** @typedef {Protocol.Act|Protocol.Commit|Protocol.Open|Protocol.Ready|Protocol.CallReferee|Protocol.TakeCallBack|Protocol.React} Asked a message that needs an answer */

/** @typedef {Exclude<Protocol.ServerMessage, Protocol.Changes>} Heard a message for the page, with
 * complete views only */

export class Connection {
  /**
   * @param {object} options
   * @param {() => Line} options.open makes a new socket
   * @param {() => number} options.version version of the page's view
   * @param {(message: Heard) => void} options.onmessage
   * @param {(status: Status) => void} options.onstatus
   * @param {() => void} [options.onblocked] called if the network seems to block WebSockets
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
    // late: silence counts from a late tick. asksAgain: the next socket checks whether the session
    // is valid.
    this.late = this.asksAgain = false;
    // Number of sockets opened, and of the latest ones in a row that never answered.
    this.sockets = this.unheard = 0;
    // For the current socket: pings sent, pongs received, and the first ping after each message, by message ID.
    this.pings = this.pongs = 0;
    /** @type {Map<string, number>} */
    this.behind = new Map();
  }

  start() {
    this.tickedAt = this.now();
    this.#connect();
  }

  /** Send due pings and messages, and detect silence. Call this twice a second. */
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

  /** Check the connection when the page becomes visible or the network returns, because a socket that looks open
   * may be dead. */
  wake() {
    if (this.#given_up()) return;
    this.attempt = 0;
    this.#connect();
  }

  /** Close the socket because the device is offline, without waiting for silence. */
  offline() {
    if (!this.#given_up()) this.#lost();
  }

  /** Send an action with the version of the displayed view. Return its ID.
   * @param {Protocol.Action} action */
  act(action) {
    return this.ask({ type: "action", version: this.version(), action });
  }

  /** Send a message that needs an answer, now or over the next socket. Return its ID.
   * @param {object} content */
  ask(content) {
    const message = this.outbox.add(content, this.now());
    this.#send(message);
    return message.id;
  }

  /** Send a message followed by a ping, whose pong shows that the message arrived (see `reached`).
   * @param {object} content */
  askAndPing(content) {
    const id = this.ask(content);
    this.#ping(this.now());
    return id;
  }

  /** Return whether the message has reached the server, because a later ping on the same socket was answered.
   * @param {string} id */
  reached(id) {
    return this.pongs >= (this.behind.get(id) ?? Infinity);
  }

  /** @param {Protocol.ClientMessage} message */
  send(message) {
    this.#send(message);
  }

  /** Close the connection without reconnecting, because the player has to sign in again. */
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

  /** Handle a view or changes. If the changes do not apply to the last view, request a complete one.
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
    // Without its session, a practice table does not exist for the server.
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

  /** Send a message if the socket is open. Return whether it was sent. @param {Protocol.ClientMessage} message */
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

/** Unanswered messages, which are repeated with the same ID until the answer arrives. */
export class Outbox {
  constructor(newId = randomId) {
    this.newId = newId;
    /** @type {Map<string, {message: Asked, sentAt: number}>} */
    this.entries = new Map();
  }

  /** Record a message as sent at `now`. Return it with its ID, as it is repeated later.
   * @param {object} content @param {number} now */
  add(content, now) {
    const message = /** @type {Asked} */ ({ id: this.newId(), ...content });
    this.entries.set(message.id, { message, sentAt: now });
    return message;
  }

  /** Return the messages whose answers are overdue, and record them as sent again.
   * @param {number} now */
  due(now) {
    return this.#take(now, ({ sentAt }) => now - sentAt >= RESEND_MS);
  }

  /** Return all unanswered messages, for a new socket, and record them as sent again. @param {number} now */
  all(now) {
    return this.#take(now, () => true);
  }

  /** Remove the answered message with this ID. Return whether the outbox had it.
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

/** Return 128 random bits. crypto.randomUUID is not used, because it is missing on plain HTTP. */
export function randomId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Keeps the last view of a socket and applies changes to it, so that the page gets complete views. */
export class Views {
  constructor() {
    this.forget();
  }

  /** Forget the last view, as for a new socket. */
  forget() {
    /** @type {Protocol.View|null} */
    this.last = null;
  }

  /** Return the message with a complete view, or null if its changes do not apply to the last view.
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

/** Return a copy of the view with these changes.
 * @param {Protocol.WindowView} view @param {Protocol.Changes} changes @returns {Protocol.WindowView} */
export function patched(view, changes) {
  const log = changes.view.log ?? [...view.log, ...changes.log].slice(-LINES);
  const seats = view.seats.map((seat) => ({ ...seat, ...changes.seats[seat.seat] }));
  const lines = { ...stillShown(view.own_lines, log), ...changes.own_lines };
  return /** @type {any} */ ({ ...view, seats, own_lines: lines, ...changes.view, log });
}

/** Return the second-person lines that are still in the log.
 * @param {Record<string, string>} lines @param {Protocol.LogLine[]} log */
function stillShown(lines, log) {
  const first = log[0]?.n ?? Infinity;
  return Object.fromEntries(Object.entries(lines).filter(([n]) => Number(n) >= first));
}
