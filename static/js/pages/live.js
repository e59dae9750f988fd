// News of an event over a socket. Nothing depends on it: pages are complete without.

const PING_MS = 15_000;
const SILENT_MS = 40_000;
const LONGEST_WAIT_MS = 20_000;
// The server has no room for more from this network now.
const FULL = 1013;
const FULL_WAIT_MS = 40_000;

/** Calls `onMessage` with every message of the event's socket, `onState` with "live", "offline" and,
 * where there was no room, the server's sentence.
 * `shows` says the hash of the leaderboard that is shown: what has changed of it is told then,
 * otherwise only that something has. `onMessage` answers false where it can do nothing with a
 * message: then all is sent again.
 *
 * @param {string} slug
 * @param {{shows?: () => string, onMessage: (message: Protocol.EventMessage) => boolean | void, onState?: (state: "live" | "offline", reason?: string) => void}} options
 */
export function listen(slug, { shows, onMessage, onState = () => {} }) {
  const scheme = location.protocol === "https:" ? "wss:" : "ws:";
  const address = `${scheme}//${location.host}/ws/event/${slug}/`;
  /** @type {WebSocket|null} */
  let socket = null;
  let heard = 0;
  let version = 0;
  let failures = 0;
  let timer = 0;

  function open() {
    clearTimeout(timer);
    if (socket && socket.readyState <= WebSocket.OPEN) return;
    socket = new WebSocket(shows ? `${address}?rows=${shows()}` : address);
    heard = performance.now();
    // Who shows the newest leaderboard already is sent nothing.
    socket.addEventListener("open", () => onState("live"));
    socket.addEventListener("message", receive);
    socket.addEventListener("close", retry);
  }

  /** @param {MessageEvent} event */
  function receive(event) {
    if (event.target !== socket) return;
    heard = performance.now();
    failures = 0;
    onState("live");
    /** @type {Protocol.EventMessage} */
    const message = JSON.parse(event.data);
    if (message.type === "pong") return;
    version = message.version ?? version;
    if (onMessage(message) === false) socket?.send(JSON.stringify({ type: "sync" }));
  }

  /** @param {CloseEvent} event */
  function retry(event) {
    if (event.target !== socket) return;
    socket = null;
    onState("offline", event.code === FULL ? event.reason : "");
    if (event.code === 4404) return;
    // Many phones lose the same network at once: do not all come back in the same second.
    const wait = event.code === FULL ? FULL_WAIT_MS : Math.min(1000 * 2 ** failures++, LONGEST_WAIT_MS);
    timer = setTimeout(event.code === 4401 ? openAsVisitor : open, wait * (0.5 + Math.random()));
  }

  /** The session has ended, the news are still public: any answer takes its cookie away. */
  async function openAsVisitor() {
    await fetch(location.href).catch(() => null);
    open();
  }

  function again() {
    if (document.visibilityState !== "visible") return;
    // Phones end sockets of hidden pages without telling the page.
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
