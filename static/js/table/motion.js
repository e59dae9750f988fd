// Animates cards as flying copies above the table. The table below already shows the new state, and the copies do
// not react to taps.

import { part } from "../elements.js";
import { cardBack, cardFace } from "./cards.js";
import { h } from "./dom.js";
import { Ending } from "./ending.js";
import { Moments } from "./moments.js";

const PLAY_MS = 260;
const LAND_MS = 240;
const DRAW_MS = 280;
const STAGGER_MS = 70;
const MOST_GHOSTS = 9;
// With more plays than this at the same time, the page is only catching up, so they are not animated.
const MOST_PLAYS = 3;
const EASE = "cubic-bezier(.2,.7,.2,1)";
export const calm = globalThis.matchMedia?.("(prefers-reduced-motion: reduce)") ?? { matches: true };

/** @typedef {Map<string|undefined, DOMRect>} Before earlier positions of cards, by handle */
/** @typedef {{handle: string, card: string, ghost: HTMLElement, flight: Animation}} Held your card
 * that waits for the server's answer */

export class Motion {
  /** @param {HTMLElement} layer @param {HTMLElement} table */
  constructor(layer, table) {
    this.layer = layer;
    this.table = table;
    /** @type {Held|null} */
    this.held = null;
    // After a change of size, the waiting card would no longer be on the pile, so it is released.
    new ResizeObserver(() => this.held?.flight.playState === "finished" && this.release()).observe(part(table, ".stage"));
    this.ending = new Ending(layer, table);
    this.moments = new Moments(layer, table, (seat) => this.#rect(seat === null ? this.#find(".discard") : this.#seat(seat)));
  }

  /** Return the positions of your cards. Call this before the page is updated. */
  before() {
    return new Map(this.#slots().map((slot) => [slot.dataset.id, boxOf(slot)]));
  }

  /** Move your card to the pile before the server's answer. It waits there.
   * @param {string|null} handle @param {string} card */
  sendOff(handle, card) {
    const slot = this.#slot(handle);
    const to = this.#rect(this.#find(".discard"));
    if (!handle || !slot || !to || calm.matches) return;
    this.release();
    const ghost = this.#ghost(cardFace(card), boxOf(slot));
    slot.classList.add("away");
    ghost.dataset.sending = "";
    const flight = this.#fly(ghost, to, { duration: PLAY_MS, fill: "forwards" });
    this.held = { handle, card, ghost, flight };
  }

  /** Move a refused card back into the hand. */
  snapBack() {
    const { held } = this;
    this.held = null;
    if (!held) return;
    held.flight.reverse();
    held.flight.onfinish = () => {
      held.ghost.remove();
      this.#slot(held.handle)?.classList.remove("away");
    };
  }

  /** Remove the copy and show the card itself, because the new view contains it. */
  release() {
    const { held } = this;
    this.held = null;
    if (!held) return;
    this.#slot(held.handle)?.classList.remove("away");
    this.#land(held);
    held.ghost.remove();
  }

  /** Let the waiting card land. The pile may have moved, because the hand has one card less.
   * @param {Held} held */
  #land({ card, ghost, flight }) {
    const top = this.#find(".discard")?.lastElementChild;
    const left = timeLeft(flight);
    if (!top) return;
    if (left <= 0) return this.#settle(top);
    const copy = this.#ghost(cardFace(card), ghost.getBoundingClientRect());
    this.#hideUntil(top, this.#fly(copy, top.getBoundingClientRect(), { duration: left }), copy, () => this.#settle(top));
  }

  /** Animate what happened between two views.
   *
   * @param {Protocol.Event[]} events as the server sent them, in order
   * @param {Before} before from `before()`
   * @param {Protocol.WindowView} view the new view
   * @returns {number} milliseconds until a card that was played lies on the pile
   */
  show(events, before, view) {
    const mine = this.held;
    const lands = mine ? timeLeft(mine.flight) : PLAY_MS;
    if (mine && !this.#slot(mine.handle)) this.release();
    this.ending.look(view);
    if (isCatchUp(events) || document.hidden) return 0;
    this.moments.show(events, calm.matches);
    if (endsByPlay(events)) this.#last(events, view);
    if (calm.matches) return 0;
    this.#deal(before, this.#giver(events, view) ?? this.#find(".draw-pile"));
    if (!endsByPlay(events)) this.#lastPlay(events, before, view, mine);
    this.#draws(events, view);
    return lands;
  }

  /** Return where the card that ended the hand came from: its seat, or the current position of your card.
   * @param {Protocol.Event[]} events @param {Protocol.WindowView} view */
  #last(events, view) {
    const played = events.findLast(({ event }) => event === "played");
    const to = this.#rect(this.#find(".discard"));
    if (played?.event !== "played" || !to) return;
    const { seat, card } = played;
    const from = seat === view.you ? to : this.#rect(this.#seat(seat));
    if (from) this.ending.show(card, from, to, calm.matches);
  }

  /** Return the seat element of the player whose hand you got in a swap, or null.
   * @param {Protocol.Event[]} events @param {Protocol.WindowView} view */
  #giver(events, { you }) {
    for (const event of events) {
      if (event.event !== "swapped" || you === null) continue;
      const seats = [event.seat, event.with];
      if (seats.includes(you)) return this.#seat(seats.find((seat) => seat !== you));
    }
    return null;
  }

  /** Move new cards from the draw pile, or from the player who gave them.
   * @param {Before} before @param {Element|null} giver */
  #deal(before, giver) {
    const from = this.#rect(giver);
    const fresh = this.#slots().filter((slot) => !before.has(slot.dataset.id));
    fresh.forEach((slot, i) => {
      if (!from) return;
      const delay = Math.min(i, 9) * STAGGER_MS;
      const ghost = this.#ghost(part(slot, "svg").cloneNode(true), from);
      this.#hideUntil(slot, this.#fly(ghost, boxOf(slot), { duration: DRAW_MS, delay }), ghost);
    });
  }

  /** Move the top card from the seat that played it.
   * @param {Protocol.Event[]} events @param {Before} before @param {Protocol.WindowView} view @param {Held|null} mine */
  #lastPlay(events, before, view, mine) {
    const played = events.findLast((event) => event.event === "played");
    const top = this.#find(".discard")?.lastElementChild;
    if (!played || !top || played.card !== view.top) return;
    const own = played.seat === view.you;
    if (own && mine) return;
    const gone = [...before].find(([handle]) => own && !this.#slot(handle ?? null));
    const from = gone?.[1] ?? this.#rect(this.#seat(played.seat));
    if (!from) return;
    const ghost = this.#ghost(cardFace(played.card), from);
    this.#hideUntil(top, this.#fly(ghost, top.getBoundingClientRect(), { duration: PLAY_MS }), ghost, () => this.#settle(top));
  }

  /** Animate the impact of a landing card: it is flattened briefly, and its shadow contracts.
   * @param {Element} top */
  #settle(top) {
    const [high, low] = ["drop-shadow(0 9px 9px rgb(0 0 0 / 0.5))", "drop-shadow(0 0 1px rgb(0 0 0 / 0.6))"];
    const timing = { duration: LAND_MS, easing: "ease-out" };
    top.animate([{ scale: 1.14, filter: high }, { scale: "1.05 0.95", filter: low, offset: 0.4 }, { scale: 0.99, offset: 0.7 }, {}], timing);
  }

  /** @param {Protocol.Event[]} events @param {Protocol.WindowView} view */
  #draws(events, view) {
    const from = this.#rect(this.#find(".draw-pile"));
    const drawn = events.filter((event) => event.event === "drew" && event.seat !== view.you);
    const flights = drawn.flatMap(({ seat, cards }) => Array(Math.min(cards ?? 0, 4)).fill(seat));
    if (events.some(({ event }) => event === "dealt"))
      flights.push(...view.seats.filter((seat) => seat.playing && seat.seat !== view.you).map(({ seat }) => seat));
    flights.slice(-MOST_GHOSTS).forEach((seat, i) => {
      const to = this.#rect(this.#seat(seat));
      if (!to || !from) return;
      const ghost = this.#ghost(cardBack(), from);
      this.#fly(ghost, to, { duration: DRAW_MS, delay: i * STAGGER_MS }).onfinish = () => ghost.remove();
    });
  }

  /** @param {Node} face @param {DOMRect} at */
  #ghost(face, at) {
    const ghost = h("span.ghost", {}, face);
    ghost.style.left = `${at.left}px`;
    ghost.style.top = `${at.top}px`;
    ghost.style.setProperty("--card-w", `${cardSize(at).width}px`);
    this.layer.append(ghost);
    return ghost;
  }

  /** Move a copy so that it covers `to`.
   * @param {HTMLElement} ghost @param {DOMRect} to @param {KeyframeAnimationOptions} timing */
  #fly(ghost, to, timing) {
    const from = ghost.getBoundingClientRect();
    const size = cardSize(to);
    const x = to.left + to.width / 2 - (from.left + from.width / 2);
    const y = to.top + to.height / 2 - (from.top + from.height / 2);
    const end = `translate(${x}px, ${y}px) scale(${size.width / from.width})`;
    const frames = [{ transform: "none" }, { transform: end }];
    return ghost.animate(frames, { easing: EASE, fill: "backwards", ...timing });
  }

  /** @param {Element} element @param {Animation} flight @param {Element} ghost @param {() => void} [landed] */
  #hideUntil(element, flight, ghost, landed) {
    element.classList.add("away");
    flight.onfinish = flight.oncancel = () => {
      ghost.remove();
      element.classList.remove("away");
      landed?.();
    };
  }

  /** @param {string} selector @returns {HTMLElement|null} */
  #find(selector) {
    return this.table.querySelector(selector);
  }

  /** Return the box of a seat's face, or of its name while the score sheet covers the table.
   * @param {number} seat @returns {DOMRect|undefined} */
  placeOf(seat) {
    return this.#rect(this.#find(`.sheet [data-row="${seat}"] th`) ?? this.#seat(seat));
  }

  /** @param {number|undefined} seat */
  #seat(seat) {
    return this.#find(`[data-seat="${seat}"] .ring`);
  }

  #slots() {
    return /** @type {HTMLElement[]} */ ([...this.table.querySelectorAll(".slot")]);
  }

  /** @param {string|null} handle */
  #slot(handle) {
    return handle === null ? null : this.#find(`.slot[data-id="${CSS.escape(handle)}"]`);
  }

  /** @param {Element|null} element */
  #rect(element) {
    return element?.getBoundingClientRect();
  }
}

/** Return whether a view only catches up with the past, as after reconnecting.
 * @param {Protocol.Event[]} events */
export function isCatchUp(events) {
  return !events.length || events.filter(({ event }) => event === "played").length > MOST_PLAYS;
}

/** Return whether a played card ended the hand.
 * @param {Protocol.Event[]} events */
function endsByPlay(events) {
  return events.some(({ event, winner }) => event === "over" && winner !== null) && events.some(({ event }) => event === "played");
}

/** Return the milliseconds that are left of an animation. @param {Animation} flight */
function timeLeft(flight) {
  return Math.max(0, Number(flight.effect?.getComputedTiming().duration) - Number(flight.currentTime));
}

/** Return the box of a card in your hand. @param {Element} slot */
const boxOf = (slot) => part(slot, "button").getBoundingClientRect();

/** Return the size of the largest card that fits into a box. @param {DOMRect} box */
function cardSize({ width, height }) {
  return { width: Math.min(width, height / 1.5) };
}
