// Your cards, as buttons that never move under a finger.

import { find, part } from "../elements.js";
import { cardFace, cardName } from "./cards.js";
import { h, keyed, onChange, setAttribute } from "./dom.js";
import { cardPlaces, fits, hasSideButtons, nextWidth } from "./layout.js";
import { sortCards } from "./sorting.js";
import { isPlayer, myTurn, ready, usable } from "./store.js";
import { gettext } from "../text.js";

/** @import { Show, State } from "./store.js" */

// Two taps within this time and distance are a double tap.
const DOUBLE_TAP_MS = 1500;
const SETTLE_MS = 400;
const NEAR_PX = 24;

/**
 * @param {HTMLElement} root
 * @param {{play: (handle: string, said: {uno?: true, ocho?: true}) => void, order: () => string}} handlers
 * @returns {Show}
 */
export function makeHand(root, { play, order }) {
  const list = h("ul.cards");
  root.replaceChildren(list);
  const hold = holdWhilePressed(root);
  const table = makeLayout(root, list);
  followKeys(list);
  const freshIn = makeFresh();
  const slides = watchSlides();
  /** @param {MouseEvent} tap @param {string} id @param {{uno?: true, ocho?: true}} said */
  const tapped = (tap, id, said) => {
    if (!slides.isSlid(tap, id)) play(id, said);
  };
  /** @type {string|null} */
  let drawn = null;

  /** @type {Show} */
  const show = (state, now) => hold(() => {
    const { view } = state;
    root.hidden = !isPlayer(view);
    const cards = sortCards(view.cards ?? [], order());
    const focus = focusBefore(list);
    const fresh = freshIn(state);
    keyed(list, cards, (card) => card.id, (card) => makeCard(card, tapped), (item, card, i) =>
      showCard(item, card, { state, place: gettext("%(step)s of %(last)s", { step: i + 1, last: cards.length }), live: ready(state, now), off: !usable(state, now), fresh: fresh.has(card.id) }));
    setAttribute(list, "data-last-two", sayUnoToo(view) || null);
    table.lay(view);
    slides.note(cards);
    restoreFocus(list, focus);
    if (view.drawn && view.drawn !== drawn && focus) focusCard(list.querySelector("[data-drawn]"), list);
    drawn = view.drawn;
    oneTabStop(list);
  });
  // Measuring the layout is slow, so it runs only when one of these values changes.
  return onChange((state, now) => [
    state.view, state.pending, state.selected, state.asking, order(), usable(state, now), ready(state, now),
  ], show);
}

/** Return whether a play would leave one card and the UNO call counts, according to the server.
 * @param {Protocol.WindowView} view */
export function sayUnoToo(view) {
  return Boolean(view.may?.uno);
}

/** @param {Protocol.HeldCard} held @param {(tap: MouseEvent, id: string, said: {uno?: true, ocho?: true}) => void} tapped */
function makeCard({ id, card }, tapped) {
  /** @param {{uno?: true, ocho?: true}} said */
  const tap = (said) => (/** @type {Event} */ event) => tapped(/** @type {MouseEvent} */ (event), id, said);
  return h(
    "li.slot", { "data-id": id, translate: "no" },
    h("button.card-button", { type: "button", onclick: tap({}) }, cardFace(card)),
    h("button.with-uno", { type: "button", onclick: tap({ uno: true }) }, `+ ${gettext("UNO!")}`),
    h("button.with-ocho", { type: "button", onclick: tap({ ocho: true }) }, gettext("Ocho!")),
  );
}

/** @param {HTMLElement} item @param {Protocol.HeldCard} held @param {{state: State, place: string, live: boolean, off: boolean, fresh: boolean}} about */
function showCard(item, { id, card, playable }, { state, place, live, off, fresh }) {
  const [button, withUno, withOcho] = item.querySelectorAll("button");
  const sending = state.pending?.card === id;
  const words = [cardName(card), sending ? gettext("sending") : playable ? gettext("playable") : gettext("not playable"), place];
  if (state.view.drawn === id) words.splice(1, 0, gettext("just drawn"));
  else if (fresh) words.splice(1, 0, gettext("new"));
  if (state.selected === id) words.splice(1, 0, gettext("selected, press again to play it"));
  setAttribute(button, "aria-label", words.join(", "));
  // A press on an unplayable card explains why it cannot be played.
  setAttribute(button, "aria-disabled", off ? "true" : null);
  setAttribute(withUno, "aria-label", gettext("Play %(card)s and say UNO", { card: cardName(card) }));
  withUno.hidden = !(playable && live && sayUnoToo(state.view));
  setAttribute(withOcho, "aria-label", gettext("Play %(card)s and say Ocho", { card: cardName(card) }));
  withOcho.hidden = !(playable && live && state.view.may?.ocho?.includes(card));
  setAttribute(item, "data-playable", playable || null);
  setAttribute(item, "data-fresh", fresh || null);
  setAttribute(item, "data-drawn", state.view.drawn === id ? gettext("new") : null);
  setAttribute(item, "data-sending", sending || null);
  setAttribute(item, "data-chosen", state.selected === id || state.asking?.card === id || null);
}

/** Return a scheduler that delays rendering while a pointer is down in `root`, and then runs the latest function.
 * If cards moved under a finger, the player could play the wrong one.
 * @param {HTMLElement} root @returns {(render: () => void) => void} */
function holdWhilePressed(root) {
  /** @type {(() => void)|null} */
  let waiting = null;
  let pressed = 0;
  const release = () => {
    clearTimeout(pressed);
    pressed = 0;
    waiting?.();
    waiting = null;
  };
  root.addEventListener("pointerdown", () => {
    clearTimeout(pressed);
    pressed = setTimeout(release, 1500);
  });
  // The click of the same press must be handled first.
  for (const name of ["pointerup", "pointercancel"])
    window.addEventListener(name, () => pressed && setTimeout(release, 0));
  return (render) => {
    if (pressed) waiting = render;
    else render();
  };
}

/** Detect double taps whose second tap hits the wrong card, because the neighbour of the played card has slid under
 * the finger. Keyboards and screen readers are not affected. */
function watchSlides() {
  const last = { id: "", x: 0, y: 0, at: -Infinity };
  let held = "";
  let slidAt = 0;
  return {
    /** @param {Protocol.HeldCard[]} cards in their new order */
    note(cards) {
      const ids = cards.map(({ id }) => id).join(" ");
      if (ids !== held) [held, slidAt] = [ids, performance.now()];
    },
    /** @param {MouseEvent} tap @param {string} id */
    isSlid({ detail, clientX: x, clientY: y }, id) {
      const now = performance.now();
      const isAgain = detail > 0 && id !== last.id && now - last.at < DOUBLE_TAP_MS && Math.hypot(x - last.x, y - last.y) < NEAR_PX;
      if (isAgain && now - Math.max(last.at, slidAt) < SETTLE_MS) return true;
      if (detail > 0) Object.assign(last, { id, x, y, at: now });
      return false;
    },
  };
}

/** Return a function that finds the cards received since the player's last action. They glow.
 * @returns {(state: State) => Set<string>} */
function makeFresh() {
  /** @type {number|null|undefined} */
  let hand;
  /** @type {Set<string>} */
  let held = new Set();
  /** @type {Set<string>} */
  let fresh = new Set();
  return ({ view, pending }) => {
    const ids = (view.cards ?? []).map(({ id }) => id);
    // A new hand starts without highlighted cards.
    if (view.match.hand !== hand || !held.size) held = new Set(ids);
    if (view.match.hand !== hand || pending) fresh = new Set();
    for (const id of ids) if (!held.has(id)) fresh.add(id);
    [hand, held] = [view.match.hand, new Set(ids)];
    return fresh;
  };
}

/** Lay out any number of cards in an area of fixed size.
 * @param {HTMLElement} root @param {HTMLElement} list */
function makeLayout(root, list) {
  /** @type {import("./layout.js").Room|null} */
  let room = null;
  /** @type {number|null} */
  let width = null;
  let turn = false;
  /** @type {number|null} */
  let hand = null;

  function place() {
    const { length: count } = list.children;
    room ??= roomOf(root);
    width = nextWidth(width, count, room, turn);
    const places = cardPlaces(count, width, room);
    root.style.setProperty("--card-w", `${width}px`);
    list.toggleAttribute("data-beside", hasSideButtons(count, width, room));
    list.style.height = fits(count, width, room) ? "" : `${(places.at(-1)?.y ?? 0) + width * 1.5}px`;
    places.forEach(({ x, y }, i) => {
      const { style } = /** @type {HTMLElement} */ (list.children[i]);
      style.transform = `translate(${x}px, ${y}px)`;
    });
  }

  new ResizeObserver(() => {
    [room, width] = [null, null];
    place();
  }).observe(root);

  return {
    /** @param {Protocol.WindowView} view */
    lay(view) {
      turn = myTurn(view);
      if (view.match.hand !== hand) [hand, width] = [view.match.hand, null];
      place();
    },
  };
}

/** @param {HTMLElement} root @returns {import("./layout.js").Room} */
function roomOf(root) {
  // Subtract the padding set in hand.css.
  return { width: root.clientWidth - 8, height: root.clientHeight - 8 };
}

// Keyboard: the hand is one tab stop, and arrow keys move between cards. The focus stays on the same card or moves
// to its neighbour.

/** @param {Element} item @returns {HTMLButtonElement} */
const buttonOf = (item) => part(item, ".card-button");

/** @param {HTMLElement} list */
function followKeys(list) {
  /** @type {Record<string, number>} */
  const steps = { ArrowRight: 1, ArrowLeft: -1, Home: -Infinity, End: Infinity };
  list.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const vertical = Number(event.key === "ArrowDown") - Number(event.key === "ArrowUp");
    const step = vertical ? vertical * columns(list) : steps[event.key];
    if (!step) return;
    event.preventDefault();
    const items = slotsOf(list);
    const at = items.findIndex((item) => item.contains(document.activeElement));
    focusCard(items[Math.max(0, Math.min(items.length - 1, at + step))], list);
  });
}

/** @param {HTMLElement} list */
const slotsOf = (list) => /** @type {HTMLElement[]} */ ([...list.children]);

/** Return the number of cards in the first row. @param {HTMLElement} list */
function columns(list) {
  const rows = slotsOf(list).map((item) => item.style.transform.split(",")[1]);
  return rows.filter((row) => row === rows[0]).length;
}

/** @param {Element|null|undefined} item @param {HTMLElement} list */
function focusCard(item, list) {
  if (item) buttonOf(item).focus();
  oneTabStop(list);
}

/** @param {HTMLElement} list */
function oneTabStop(list) {
  const items = slotsOf(list);
  const before = items.find((item) => buttonOf(item).getAttribute("tabindex") === "0");
  const stop = items.find((item) => item.contains(document.activeElement)) ?? before ?? items[0];
  for (const item of items) buttonOf(item).tabIndex = item === stop ? 0 : -1;
}

/** @typedef {{item: HTMLElement, button: HTMLElement, at: number}} Focus the focused card and its
 * position */

/** @param {HTMLElement} list @returns {Focus|null} */
function focusBefore(list) {
  const items = slotsOf(list);
  const at = items.findIndex((item) => item.contains(document.activeElement));
  return at < 0 ? null : { item: items[at], button: /** @type {HTMLElement} */ (document.activeElement), at };
}

/** Restore the keyboard focus after an update: to the same card, or to its neighbour if the card is gone.
 * @param {HTMLElement} list @param {Focus|null} focus */
function restoreFocus(list, focus) {
  if (!focus || (focus.item.isConnected && document.activeElement === focus.button)) return;
  if (focus.item.isConnected) return (focus.button.hidden ? buttonOf(focus.item) : focus.button).focus({ preventScroll: true });
  const next = list.children[Math.min(focus.at, list.children.length - 1)];
  if (next) buttonOf(next).focus();
  else focusHand();
}

/** Move the focus to the card just drawn, else to the hand's tab stop, else to the empty hand. Call this when the
 * focused element is gone. */
export function focusHand() {
  /** @type {HTMLElement|null} */
  const card = document.querySelector('.slot[data-drawn] .card-button, .slot .card-button[tabindex="0"]');
  (card ?? document.getElementById("hand") ?? find("stage")).focus({ preventScroll: true });
}
