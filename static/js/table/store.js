// The state of the table page, and its changes by messages and taps. Pure: each change returns a new state. It
// contains no game rules, because the server's view lists the allowed actions.

import { nextQuestion } from "./choices.js";
import { gettext } from "../text.js";

/** @import { Status } from "./socket.js" */

/**
 * @typedef {object} State
 * @property {Protocol.WindowView} view the server's view of the match, as of `view.version`
 * @property {number|null} version null until the socket's first view, because the page's own view is only for display
 * @property {number} seenAt when the view arrived, by this page's clock in ms
 * @property {Status & {since: number, troubled?: boolean, began?: Status}} link the socket's status;
 *   `began`: the status with which the current interruption began
 * @property {{id: string, action: Protocol.Action, card: string|null, at: number, acked: number|null}|null} pending the action of the turn that is being sent; `card` is the handle of its card
 * @property {{id: string, action: Protocol.Action}|null} word a call or catch that is being sent
 * independently
 * @property {{action: Protocol.Play, card: string|null}|null} asking an action that needs a choice
 * @property {string|null} selected handle of the card that waits for a confirming tap
 * @property {{text: string, kind: "why"|"refused"|"server", at: number}|null} notice
 * @property {boolean} sheetHidden
 * @property {Protocol.Desk|null} desk the desk's news about this table; null until the server has
 * sent it
 */

/**
 * @typedef {{type: "view", view: Protocol.WindowView, version: number, now: number}
 *   | {type: "here", seats: Protocol.Presence[], now: number}
 *   | {type: "ack", id: string, version: number, now?: number}
 *   | {type: "refused", id: string|null, code: string, message: string, now: number}
 *   | {type: "notice", code: string, message: string, now: number}
 *   | Omit<Protocol.Desk, "now"> & {now: number}
 *   | {type: "link", status: Status, now: number}
 *   | {type: "sent", id: string, action: Protocol.Action, card?: string|null, now: number}
 *   | {type: "ask", action: Protocol.Play, card: string|null}
 *   | {type: "cancel"}
 *   | {type: "select", card: string}
 *   | {type: "why", text: string, now: number}
 *   | {type: "quiet"}
 *   | {type: "sheet", hidden: boolean}} Change of the page's state
 */

/** @typedef {(state: State, now: number) => void} Show a function that updates a part of the page */

/** @param {Protocol.WindowView} view @param {number} now @returns {State} */
export function initial(view, now) {
  return {
    view: inYourWords(view), version: null, seenAt: now, link: { name: "connecting", since: now },
    pending: null, word: null, asking: null, selected: null, notice: null, sheetHidden: false, desk: null,
  };
}

/** Return the state after a change, or the same object if nothing changes.
 * @param {State} state @param {Change|{type: "pong"|"probe", now?: number}} change @returns {State} */
export function reduce(state, change) {
  return /** @type {any} */ (changes)[change.type]?.(state, change) ?? state;
}

const TROUBLE = ["waiting", "restarting"];

/** @type {{[K in Change["type"]]: (state: State, change: Extract<Change, {type: K}>) => State}} */
const changes = {
  view(state, { view, version, now }) {
    if (version < (state.version ?? 0)) return state;
    const next = { ...state, view: inYourWords(view), version, seenAt: now };
    if (version > (state.version ?? 0) && state.notice?.kind === "why") next.notice = null;
    if (!stillPlayable(view, state.selected)) next.selected = null;
    if (state.asking && !stillAskable(view, state.asking)) next.asking = null;
    if (view.sheet?.hand !== state.view.sheet?.hand) next.sheetHidden = false;
    return arrived(next);
  },

  here(state, { seats, now }) {
    const passed = now - state.seenAt;
    const known = seats.map((seat) => asOfTheView(seat, state.view, passed));
    const merged = state.view.seats.map((seat) => ({ ...seat, ...known.find((one) => one.seat === seat.seat) }));
    return { ...state, view: { ...state.view, seats: merged } };
  },

  ack(state, { id, version }) {
    if (state.word?.id === id) return { ...state, word: null };
    if (state.pending?.id !== id) return state;
    return arrived({ ...state, pending: { ...state.pending, acked: version } });
  },

  refused(state, { id, code, message, now }) {
    /** @type {State["notice"]} */
    const notice = { text: message, kind: "refused", at: now };
    // After "unavailable", the action is sent again, so it is still pending.
    /** @template {{id: string}} T @param {T|null} sent */
    const settled = (sent) => (sent?.id === id && code !== "unavailable" ? null : sent);
    return { ...state, notice, pending: settled(state.pending), word: settled(state.word) };
  },

  notice(state, { code, message, now }) {
    if (code === "restarting") return { ...state, link: { name: "restarting", since: now } };
    if (code === "other_tab") return state; // the banner already shows this
    return { ...state, notice: { text: message, kind: "server", at: now } };
  },

  link(state, { status, now }) {
    const { name, since, troubled: before, began } = state.link;
    // An interruption lasts until a message is received, however many sockets are tried.
    const troubled = status.name === "connecting" && (before || TROUBLE.includes(name));
    const retried = status.name === name || troubled;
    const lasting = TROUBLE.includes(status.name) ? status : troubled ? (began ?? state.link) : null;
    const link = { ...status, since: retried || (before && lasting) ? since : now, troubled };
    return { ...state, link: lasting ? { ...link, began: lasting } : link };
  },

  sent(state, { id, action, card, now }) {
    if (isWord(action)) return { ...state, word: { id, action }, notice: null };
    /** @type {State["pending"]} */
    const pending = { id, action, card: card ?? null, at: now, acked: null };
    return { ...state, pending, asking: null, selected: null, notice: null };
  },

  ask(state, { action, card }) {
    return { ...state, asking: { action, card }, selected: null, notice: null };
  },

  cancel(state) {
    return { ...state, asking: null, selected: null };
  },

  select(state, { card }) {
    return { ...state, selected: card, notice: null };
  },

  why(state, { text, now }) {
    return { ...state, notice: { text, kind: "why", at: now }, selected: null };
  },

  quiet(state) {
    return { ...state, notice: null };
  },

  desk(state, { type, may_call, may_react, calls, messages, next }) {
    return { ...state, desk: { type, may_call, may_react, calls, messages, ...(next && { next }) } };
  },

  sheet(state, { hidden }) {
    return { ...state, sheetHidden: hidden };
  },
};

/** Convert the times of a presence message, which count from now, so that they count from the view's arrival.
 * @param {Protocol.Presence} seat @param {Protocol.WindowView} view @param {number} passed ms since the view */
function asOfTheView(seat, view, passed) {
  const runs = view.clock?.seat === seat.seat && !view.match.paused;
  const gone = seat.gone_seconds === null ? null : seat.gone_seconds - passed / 1000;
  const left = seat.away_left_ms === null ? null : seat.away_left_ms + (runs ? passed : 0);
  return { ...seat, gone_seconds: gone, away_left_ms: left, coming_ms: seat.coming_ms ? seat.coming_ms + passed : 0 };
}

/** Replace log lines about this seat with their second-person versions.
 * @param {Protocol.WindowView} view @returns {Protocol.WindowView} */
function inYourWords(view) {
  const { own_lines: own = {}, own_last: last = null } = view;
  const log = view.log?.map((line) => (own[line.n] ? { ...line, text: own[line.n] } : line));
  return { ...view, log, last: last ?? view.last };
}

/** Clear an acknowledged action once the view is at least as new as its acknowledgement.
 * @param {State} state @returns {State} */
function arrived(state) {
  const acked = state.pending?.acked;
  return acked != null && (state.version ?? 0) >= acked ? { ...state, pending: null } : state;
}

/** @param {Protocol.WindowView} view @param {string|null} handle */
function stillPlayable(view, handle) {
  return (view.cards ?? []).some((card) => card.id === handle && card.playable);
}

/** @param {Protocol.WindowView} view @param {NonNullable<State["asking"]>} asking */
function stillAskable(view, { action, card }) {
  return card === null ? Boolean(view.may?.choose) : stillPlayable(view, card) && nextQuestion(view, action);
}

/** Return whether the action is a call or a catch, which are independent of turns and other actions.
 * @param {Protocol.Action} action */
export function isWord(action) {
  return Boolean(action.call) || action.catch !== undefined;
}

// Displayed values, derived from the state

/** A new socket may take this long to open before the page reports trouble. The first one may take longer. */
const CALM_MS = 1500;
const FIRST_MS = 8000;
const BRIEF_MS = 3000;
/** For this long, the page shows that the connection is slow. */
const SLOW_MS = 30_000;

/** @param {State} state @param {number} now */
export function connected(state, now) {
  const { name, since, troubled } = state.link;
  const calm = state.version === null ? FIRST_MS : CALM_MS;
  return name === "live" || (name === "connecting" && !troubled && now - since < calm);
}

/** @param {Protocol.WindowView} view @returns {view is Protocol.WindowView & {you: number}} */
export const isPlayer = (view) => view.you !== null && view.you !== undefined;

/** Return whether you can send actions: you have a seat, control it from this window, are connected, and play is
 * not paused.
 * @param {State} state @param {number} now */
export function usable(state, now) {
  const { view } = state;
  return isPlayer(view) && view.controls && !view.match.paused && connected(state, now);
}

/** Return whether you can send an action for a new turn: like `usable`, but with no pending action.
 * @param {State} state @param {number} now */
export function ready(state, now) {
  return usable(state, now) && state.pending === null && state.version !== null;
}

export const ON_ITS_WAY = gettext("Your last move is still on its way.");

/** Return the reason why a press has no effect now, or "" if it has one.
 * @param {State} state @param {number} now */
export function hindrance(state, now) {
  if (ready(state, now)) return "";
  if (usable(state, now) && state.pending) return ON_ITS_WAY;
  return trouble(state, now)?.text ?? gettext("One moment, the table is loading.");
}

/** @param {Protocol.WindowView} view */
export function myTurn(view) {
  return isPlayer(view) && view.turn === view.you;
}

/** Return whether you can draw and have no playable card.
 * @param {Protocol.WindowView} view */
export function nothingFits({ may, cards }) {
  return Boolean(may?.draw) && !cards.some(({ playable }) => playable);
}

/** Return the page title. On a hidden page, a "(1)" shows that the player is needed.
 * @param {State} state @param {boolean} [hidden] @param {string} [event] the title of the match's event */
export function pageTitle({ view, desk }, hidden = false, event = "") {
  const next = desk?.next && !desk.next.here;
  const waits = hidden && (next || (myTurn(view) && !view.match.paused && view.match.phase !== "over"));
  return `${waits ? "(1) " : ""}${next ? gettext("Your match is on") : titleOf(view, event)} – Lastcard`;
}

/** @param {Protocol.WindowView} view @param {string} event */
function titleOf(view, event) {
  const called = [event, view.match.title].filter(Boolean).join(" · ");
  if (view.match.phase === "over") return [gettext("Match over"), called].filter(Boolean).join(" · ");
  if (view.match.paused) return gettext("Paused");
  if (myTurn(view)) return gettext("Your turn");
  return called || gettext("Table");
}

/** Return the prompt. During a pause it is general, because the banner shows the reason.
 * @param {Protocol.WindowView} view */
export function promptOf({ match, prompt }) {
  return match.paused ? gettext("Play will continue where it stopped.") : (prompt ?? "");
}

/** Return the most important banner, or null if there is none.
 * @returns {Banner|null}
 * @param {State} state */
export function banner(state) {
  const { commentary } = state.view.match;
  return FATAL[state.link.name] ?? hold(state) ?? (commentary ? { code: "watched", text: commentary } : null);
}

/** Return the sign in the bar for a lost or slow connection, or null.
 * @returns {Banner|null}
 * @param {State} state @param {number} now */
export function lineSign(state, now) {
  if (FATAL[state.link.name]) return null;
  const { since, reason } = state.link;
  const slow = reason && now - since < SLOW_MS ? { code: "slow", text: reason } : null;
  return connected(state, now) ? slow : offline(state, now);
}

/** Return whether the connection's state is so recent that the sign is only a dot.
 * @param {Pick<State, "link">} state @param {number} now */
export const isBrief = ({ link }, now) => now - link.since < BRIEF_MS;

/** @typedef {{code: string, text: string, aside?: string, button?: string}} Banner `aside`: text
 * that changes too often for screen readers */

/** Return the banner for the reason why this window cannot play, or null.
 * @returns {Banner|null}
 * @param {State} state @param {number} now */
function trouble(state, now) {
  const down = connected(state, now) ? null : offline(state, now);
  return FATAL[state.link.name] ?? down ?? hold(state);
}

/** Return the banner for a window without control, a paused match, or a viewer. @returns {Banner|null}
 * @param {State} state */
function hold({ view }) {
  if (isPlayer(view) && !view.controls) return OTHER_TAB;
  if (view.match.paused) return { code: "paused", text: view.prompt };
  return view.viewer?.text ? { code: view.open ? "commentary" : "viewer", text: view.viewer.text } : null;
}

/** @type {Record<string, Banner>} */
const FATAL = {
  "signed-out": { code: "signed-out", text: gettext("You’re signed out. Sign in again to keep playing."), button: gettext("Sign in") },
  "seat-lost": { code: "seat-lost", text: gettext("This seat is no longer yours. You can watch the table."), button: gettext("Watch") },
  unknown: { code: "unknown", text: gettext("This table no longer exists.") },
};
const OTHER_TAB = {
  code: "other-tab",
  text: gettext("This table is open in another window, which is in control."),
  button: gettext("Take over here"),
};

/** @param {State} state @param {number} now */
function offline(state, now) {
  const { link, pending } = state;
  const sending = pending ? ` ${gettext("Your move will be sent.")}` : "";
  const { name, reason } = link.began ?? link;
  if (name === "restarting")
    return { code: "restarting", text: `${gettext("The server is restarting. The table will come back by itself.")}${sending}` };
  if (name === "connecting") return { code: "reconnecting", text: `${gettext("Reconnecting …")}${sending}` };
  const seconds = Math.max(1, Math.ceil(((link.retryAt ?? now) - now) / 1000));
  const aside = link.name === "connecting" ? gettext("Reconnecting …") : gettext("Trying again in %(seconds)s s.", { seconds });
  return { code: "offline", text: `${reason || gettext("You’re offline.")}${sending}`, aside, button: gettext("Try now") };
}
