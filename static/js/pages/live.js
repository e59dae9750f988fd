// Receives an event's messages over a socket.

import { makeOpening } from "../opening.js";

const PING_MS = 15_000;
const SILENT_MS = 40_000;
const LONGEST_WAIT_MS = 20_000;
// Close code: the server accepts no more connections from this network.
const FULL = 1013;
const FULL_WAIT_MS = 40_000;
const RESTART = 1012;
// A polling connection may have to continue at another process.
const POLL_WAIT_MS = 5000;
// If this many sockets in a row stay silent for this long, the network may block WebSockets.
const FIRST_MS = 8000;
const UNHEARD = 3;
// Lower close codes do not come from the server.
const OURS = 1008;
const LOST = 1006;

/** Call `onMessage` with each message of the event's socket, and `onState` with "live" or "offline"
 * and the server's reason, if any.
 *
 * `shows` returns the hash of the displayed leaderboard. With it, the server sends changed rows;
 * without it, only the fact that something has changed. If `onMessage` returns false, the server is
 * asked for the whole leaderboard.
 * @param {string} slug
 * @param {{shows?: () => string, onMessage: (message: Protocol.EventMessage) => boolean | void, onState?: (state: "live" | "offline", reason?: string) => void}} options
 */
export function listen(slug, { shows, onMessage, onState = () => {} }) {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const address = `${scheme}//${location.host}/ws/event/${slug}/`;
  const where = () => (shows ? `${address}?rows=${shows()}` : address);
  const opening = makeOpening(where, { isLive: () => answered, reopen: () => socket?.close() });
  /** @type {WebSocket|null} */
  let socket = null;
  let unheard = 0;
  let answered = false;
  let heard = 0;
  let version = 0;
  let failures = 0;
  let timer = 0;

  function open() {
    clearTimeout(timer);
    if (socket && socket.readyState <= WebSocket.OPEN) return;
    const made = opening.open();
    socket = made;
    heard = performance.now();
    // The answer proves that the network passes messages.
    made.addEventListener("open", () => {
      made.send(JSON.stringify({ type: "ping", version }));
      // A polling connection opens only after a response.
      if (opening.polls()) noteAnswer();
    });
    made.addEventListener("message", receive);
    made.addEventListener("close", retry);
    answered = false;
    setTimeout(() => giveUp(made), FIRST_MS);
  }

  /** @param {WebSocket} silent */
  function giveUp(silent) {
    if (silent !== socket || answered) return;
    silent.close();
    handleLoss(LOST, "");
  }

  function noteAnswer() {
    heard = performance.now();
    failures = unheard = 0;
    answered = true;
    onState("live");
  }

  /** @param {MessageEvent} event */
  function receive(event) {
    if (event.target !== socket) return;
    noteAnswer();
    /** @type {Protocol.EventMessage} */
    const message = JSON.parse(event.data);
    if (message.type === "pong") return;
    version = message.version ?? version;
    if (onMessage(message) === false) socket?.send(JSON.stringify({ type: "sync" }));
  }

  /** @param {CloseEvent} event */
  function retry({ target, code, reason }) {
    if (target === socket) handleLoss(code, reason);
  }

  /** @param {number} code @param {string} reason */
  function handleLoss(code, reason) {
    socket = null;
    if (code !== RESTART) onState("offline", code === FULL || code === LOST ? reason : "");
    if (code === 4404) return;
    if (!answered && code < OURS && (unheard += 1) % UNHEARD === 0) opening.change();
    // The delay is random, because many phones may lose the same network at the same time.
    timer = setTimeout(code === 4401 ? openAsVisitor : open, waitAfter(code) * (0.5 + Math.random()));
  }

  /** @param {number} code */
  function waitAfter(code) {
    if (code === FULL) return FULL_WAIT_MS;
    if (code === RESTART && opening.polls()) return POLL_WAIT_MS;
    return Math.min(1000 * 2 ** failures++, LONGEST_WAIT_MS);
  }

  /** Reconnect without the ended session, whose cookie any response removes. */
  async function openAsVisitor() {
    await fetch(location.href).catch(() => null);
    open();
  }

  function again() {
    if (document.visibilityState !== "visible") return;
    // Phones may close the sockets of hidden pages without an event.
    if (socket && performance.now() - heard > SILENT_MS) socket.close();
    failures = 0;
    open();
  }

  setInterval(() => {
    if (socket?.readyState !== WebSocket.OPEN) return;
    if (performance.now() - heard > SILENT_MS) socket.close();
    else socket.send(JSON.stringify({ type: "ping", version }));
  }, PING_MS);
  document.addEventListener("visibilitychange", again);
  window.addEventListener("pageshow", again);
  window.addEventListener("online", again);
  open();
}
