// Effects that add tension to a hand:
//  - a ring that shows the time left to say a forgotten UNO
//  - a light for a player with one card left
//  - piles that shake under a stack
//  - swapped hands that cross the table
// The code loads shortly before one of them is due. The effects never delay play. With reduced
// motion, only the ring is shown.

import { part } from "../elements.js";
import { cardBack } from "./cards.js";
import { h, setAttribute } from "./dom.js";

/** @import { State } from "./store.js" */

// From this many penalty cards on, the effect is at its maximum.
const HEAVIEST = 16;
const MOST_BACKS = 5;
const CROSS_MS = 900;
const STAGGER_MS = 12;
// Sideways swing of a curve relative to its length, and its minimum distance to the edge in pixels.
const ASIDE = 0.18;
const ROOM = 70;
// Time until a played card lands (see motion.js).
const LANDS_MS = 260;

/** Return the seats of players with one card left. Pure.
 * @param {Protocol.WindowView} view */
export function lastCards({ seats, sheet }) {
  return sheet ? [] : seats.filter(({ playing, count }) => playing && count === 1).map(({ seat }) => seat);
}

/** Return the remaining time of a catch window in percent, or null if it has no time limit. Pure.
 * @param {Protocol.UnoWindow} window @param {number} passed ms since the view */
export function windowLeft({ left_ms: left, total_ms: total }, passed) {
  return left === null || !total ? null : (100 * Math.max(0, left - passed)) / total;
}

/** Return the distance in pixels and the duration for which the piles shake. Both grow with the
 * number of penalty cards. Pure.
 * @param {number} cards */
export function shakeOf(cards) {
  const weight = Math.min(cards, HEAVIEST) / HEAVIEST;
  return { far: 2 + 10 * weight, duration: 220 + 480 * weight };
}

/** @param {{table: HTMLElement, layer: HTMLElement, calm: {matches: boolean},
 *   press: (action: Protocol.Action) => void, place: (seat: number) => DOMRect|undefined}} parts
 *   `place`: returns the box of a seat's cards */
export function makeTension({ table, layer, calm, press, place }) {
  const { tension } = table.dataset;
  if (tension) document.head.append(h("link", { rel: "stylesheet", href: tension }));
  table.addEventListener("click", ({ target }) => {
    const clicked = /** @type {Element} */ (target);
    /** @type {HTMLElement|null} */
    const chip = clicked.closest(".seat[data-window]");
    if (chip) press({ catch: Number(chip.dataset.seat) });
    else if (clicked.closest('.prompt[data-kind="uno"]')) press({ call: true });
  });

  /** Update the rings of players who have forgotten to say UNO. @param {State} state @param {number} now */
  function showTime({ view, seenAt }, now) {
    for (const window of view.may?.windows ?? []) {
      /** @type {HTMLElement|null} */
      const ring = table.querySelector(`[data-seat="${window.seat}"]`);
      const left = windowLeft(window, now - seenAt);
      ring?.style.setProperty("--window", String(left ?? 100));
    }
  }

  return {
    showTime,
    /** @param {State} state @param {number} now */
    show(state, now) {
      showTime(state, now);
      setAttribute(table, "data-tense", (!calm.matches && lastCards(state.view).length > 0) || null);
    },
    /** @param {Protocol.Event[]} events @param {number|null} you */
    happen(events, you) {
      if (calm.matches || document.hidden) return;
      for (const event of events) {
        if (event.event === "penalty") shake(table, event.cards);
        if (event.event === "swapped") cross(layer, part(table, ".stage"), [event.seat, event.with], (seat) => (seat === you ? handOf(table) : place(seat)));
      }
    },
  };
}

/** @param {HTMLElement} table @param {number} cards */
function shake(table, cards) {
  const { far, duration } = shakeOf(cards);
  const steps = [0, 1, -0.8, 0.6, -0.45, 0.3, -0.15, 0];
  const frames = steps.map((step, i) => ({ translate: `${step * far}px ${(i % 2 ? -0.4 : 0.4) * Math.abs(step) * far}px`, rotate: `${step * far * 0.22}deg` }));
  // The cards shake, but their places do not move.
  for (const card of table.querySelectorAll(".piles .card")) {
    card.animate(frames, { duration, delay: LANDS_MS, easing: "ease-out", composite: "add" });
  }
}

/** @param {HTMLElement} table */
const handOf = (table) => part(table, ".hand").getBoundingClientRect();

/** Animate two swapped hands, which move past each other.
 * @param {HTMLElement} layer @param {HTMLElement} stage @param {number[]} seats @param {(seat: number) => DOMRect|undefined} place */
function cross(layer, stage, [one, other], place) {
  const [here, there] = [place(one), place(other)];
  if (!here || !there) return;
  const { left, right, top, bottom } = stage.getBoundingClientRect();
  /** @param {number} x @param {number} y */
  const within = (x, y) => [clamp(x, left + ROOM, right - ROOM), clamp(y, top + ROOM, bottom - ROOM)];
  carry(layer, here, there, within);
  carry(layer, there, here, within);
}

/** Animate a fan of card backs along a curve that bends to the right.
 * @param {HTMLElement} layer @param {DOMRect} from @param {DOMRect} to
 * @param {(x: number, y: number) => number[]} within returns the nearest point on the felt */
function carry(layer, from, to, within) {
  const [x, y] = [middle(from.left, from.width), middle(from.top, from.height)];
  const [dx, dy] = [middle(to.left, to.width) - x, middle(to.top, to.height) - y];
  const [overX, overY] = within(x + dx / 2 - dy * ASIDE, y + dy / 2 + dx * ASIDE);
  for (let i = 0; i < MOST_BACKS; i += 1) {
    const back = h("span.crossing", {}, cardBack());
    back.style.left = `${x}px`;
    back.style.top = `${y}px`;
    layer.append(back);
    const lean = (i - (MOST_BACKS - 1) / 2) * 10;
    /** @param {number} left @param {number} top @param {number} scale @param {number} turn */
    const at = (left, top, scale, turn) => ({ transform: `translate(-50%, -50%) translate(${left}px, ${top}px) rotate(${turn}deg) scale(${scale})` });
    const frames = [{ ...at(0, 0, 0.5, 0), opacity: 0 }, { ...at(dx * 0.04, dy * 0.04, 0.9, lean), opacity: 1, offset: 0.15 }, { ...at(overX - x, overY - y, 1.1, lean), offset: 0.55 }, { ...at(dx, dy, 0.6, lean / 3), opacity: 1, offset: 0.95 }, { ...at(dx, dy, 0.5, 0), opacity: 0 }];
    back.animate(frames, { duration: CROSS_MS, delay: i * STAGGER_MS, easing: "ease-in-out", fill: "both" }).onfinish = () => back.remove();
  }
}

/** @param {number} value @param {number} least @param {number} most */
const clamp = (value, least, most) => Math.max(least, Math.min(most, value));

/** @param {number} start @param {number} size */
const middle = (start, size) => start + size / 2;
