// Long polling for networks that block WebSockets. Loads only on such networks.
//
// docs/protocol.md describes the requests.

export const WAIT_S = 25;
const LEAST_WAIT_S = 4;
const SPARE_MS = 8000;
// A failed request that took longer than this was cut off; a faster one was refused.
const CUT_MS = 2000;
const TRIES = 3;
const RETRY_MS = 500;
const MOST_MESSAGES = 20;
const LOST = 1006;
// Delays before a WebSocket is tried again: the first time, later, and after a network change. The last value is
// the time allowed for its answer.
const FIRST_TRY_MS = 60_000;
const TRY_MS = 300_000;
const SOON_MS = 2000;
const HEARD_MS = 8000;
const KEY = "polls";

/** @typedef {{id: string, from: number, messages: object[], closed?: {code: number, reason: string}}} Answer */
/** @typedef {{blocked: string, slow: string}} Advice messages for the user: if neither method
 * works, and while polling works */

/** Fetch the advice. Return null if ordinary requests fail too.
 * @returns {Promise<Advice|null>} */
export async function loadAdvice(query = "") {
  const advice = await askJson(`/ws/advice/${query}`, {}, SPARE_MS);
  return typeof advice?.slow === "string" && typeof advice.blocked === "string" ? advice : null;
}

/** @param {string} address @param {RequestInit} options @param {number} timeout in ms */
async function askJson(address, options, timeout) {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const timer = setTimeout(abort, timeout);
  options.signal?.addEventListener("abort", abort);
  try {
    const response = await fetch(address, { cache: "no-store", redirect: "error", ...options, signal: controller.signal });
    return response.ok ? await response.json() : null;
  } catch {
    return null;
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener("abort", abort);
  }
}

/** Replacement for a WebSocket that polls, with the methods that the pages use. `reason` explains to the user why
 * it polls. */
export class PollSocket extends EventTarget {
  #address;
  #advice;
  #id = "";
  #got = 0;
  #sent = 0;
  /** @type {string[]} */
  #unsent = [];
  #sending = false;
  #wait = WAIT_S;
  #ended = new AbortController();

  /** @param {string|URL} address of the WebSocket @param {Advice} advice */
  constructor(address, advice) {
    super();
    this.#address = String(address).replace(/^ws/, "http");
    this.#advice = advice;
    this.reason = advice.slow;
    this.readyState = 0;
    /** @type {((event: any) => void)|null} */
    this.onopen = null;
    /** @type {((event: any) => void)|null} */
    this.onmessage = null;
    /** @type {((event: any) => void)|null} */
    this.onclose = null;
    // The first poll starts after the caller has set its listeners.
    Promise.resolve().then(() => this.#poll());
  }

  /** @param {string} text */
  send(text) {
    this.#unsent.push(text);
    this.#flush();
  }

  close() {
    if (this.readyState < 2) Promise.resolve().then(() => this.#end(1005, ""));
    this.readyState = 2;
    this.#ended.abort();
  }

  async #poll() {
    for (let failures = 0; this.readyState < 2; ) {
      const began = performance.now();
      const answer = await this.#ask({ wait: this.#wait });
      if (this.readyState >= 2) return;
      if (answer) {
        failures = 0;
        this.#take(answer);
      } else if (!this.#id || (failures += 1) === TRIES) {
        await this.#fail();
      } else if (performance.now() - began > CUT_MS) {
        // A proxy cut the request off, so the next ones wait for a shorter time.
        this.#wait = Math.max(LEAST_WAIT_S, Math.floor(this.#wait / 2));
      } else {
        await sleep(RETRY_MS);
      }
    }
  }

  /** Send the queued messages in order, one request at a time. */
  async #flush() {
    if (this.#sending || this.readyState !== 1) return;
    this.#sending = true;
    for (let failures = 0; this.#unsent.length > 0 && this.readyState === 1; ) {
      const messages = this.#unsent.slice(0, MOST_MESSAGES);
      // A repeated request is safe, because the server accepts each message once.
      const answer = await this.#ask({ sent: this.#sent, messages });
      if (answer?.closed) {
        this.#end(answer.closed.code, answer.closed.reason);
      } else if (answer) {
        failures = 0;
        this.#sent += messages.length;
        this.#unsent.splice(0, messages.length);
      } else if ((failures += 1) === TRIES) {
        await this.#fail();
      } else {
        await sleep(RETRY_MS);
      }
    }
    this.#sending = false;
  }

  /** Send a request and return the server's answer. Return null if there is none or if it is malformed, as from a
   * captive portal.
   * @param {object} content */
  async #ask(content) {
    const answer = await askJson(this.#address, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ id: this.#id, got: this.#got, ...content }),
      signal: this.#ended.signal,
    }, this.#wait * 1000 + SPARE_MS);
    return isAnswer(answer) && answer.from <= this.#got && (!this.#id || answer.id === this.#id) ? answer : null;
  }

  /** @param {Answer} answer */
  #take({ id, from, messages, closed }) {
    this.#id = id;
    if (this.readyState === 0 && !closed) {
      this.readyState = 1;
      this.#fire("open");
    }
    for (const message of messages.slice(this.#got - from)) {
      this.#got += 1;
      if (this.readyState < 2) this.#fire("message", { data: JSON.stringify(message) });
    }
    if (closed) this.#end(closed.code, closed.reason);
    else this.#flush();
  }

  /** Close the socket after repeated failures. Blame the network only if other requests succeed. */
  async #fail() {
    const advice = await loadAdvice("?again");
    this.#end(LOST, advice ? this.#advice.blocked : "");
  }

  /** @param {number} code @param {string} reason */
  #end(code, reason) {
    if (this.readyState === 3) return;
    this.readyState = 3;
    this.#ended.abort();
    this.#fire("close", { code, reason });
  }

  /** @param {"open"|"message"|"close"} type @param {object} [details] */
  #fire(type, details) {
    const event = Object.assign(new Event(type), details);
    this.dispatchEvent(event);
    this[`on${type}`]?.(event);
  }
}

/** @param {any} value @returns {value is Answer} */
function isAnswer(value) {
  return typeof value?.id === "string" && Number.isInteger(value.from) && Array.isArray(value.messages)
    && (value.closed === undefined || Number.isInteger(value.closed?.code));
}

/** Return functions that open polling sockets and stop polling, or null if ordinary requests fail too. A WebSocket
 * is tried periodically; once one answers, `restore` is called.
 * @param {() => string|URL} address @param {() => void} restore
 * @returns {Promise<{open: () => any, stop: () => void}|null>} */
export async function makePolling(address, restore) {
  const advice = await loadAdvice();
  if (!advice) return null;
  let timer = 0;
  /** @param {number} wait */
  function tryWebSockets(wait) {
    clearTimeout(timer);
    timer = setTimeout(async () => {
      if (!document.hidden && (await canUseWebSocket(address()))) restore();
      else tryWebSockets(TRY_MS);
    }, wait * (0.5 + Math.random()));
  }
  // The device may be on another network now.
  const retry = () => tryWebSockets(SOON_MS);
  const stop = () => {
    clearTimeout(timer);
    window.removeEventListener("online", retry);
    remember(null);
  };
  remember("1");
  window.addEventListener("online", retry);
  tryWebSockets(FIRST_TRY_MS);
  return { open: () => new PollSocket(address(), advice), stop };
}

/** Return whether a WebSocket answers. The attempt does not take control from the window that plays.
 * @param {string|URL} address @returns {Promise<boolean>} */
function canUseWebSocket(address) {
  const follows = new URL(address);
  follows.search += `${follows.search ? "&" : "?"}follow`;
  const socket = new WebSocket(follows);
  return new Promise((resolve) => {
    setTimeout(() => resolve(false), HEARD_MS);
    socket.onmessage = () => resolve(true);
    socket.onclose = () => resolve(false);
    socket.onopen = () => socket.send(JSON.stringify({ type: "ping", version: 0 }));
  }).then((heard) => {
    socket.close();
    return Boolean(heard);
  });
}

/** Store for later tables in this tab whether to poll. @param {string|null} value */
function remember(value) {
  try {
    if (value) sessionStorage.setItem(KEY, value);
    else sessionStorage.removeItem(KEY);
  } catch {
    // Storage may be blocked in private windows.
  }
}

/** @param {number} ms */
const sleep = (ms) => new Promise((done) => {
  setTimeout(done, ms);
});
