// Shows important events above the table: a word over the affected seat, and a growing number of penalty cards that
// moves from the pile to the player who has to draw them. None of them reacts to taps.

import { part } from "../elements.js";
import { cardHelp, drawReason } from "./cards.js";
import { h, takesRoom } from "./dom.js";
import { gettext } from "../text.js";

const WORD_MS = 1500;
const SUM_MS = 1300;
// A second word over the same seat appears this much later, so that the first can be read.
const NEXT_MS = 800;
const SPECIAL_MS = 900;
// The number of penalty cards appears this much later than the word of the card that caused them.
const AFTER_WORD_MS = 600;
const MOST_WORDS = 12;

/** Word to show over a seat for an event, or null.
 * @type {Partial<Record<Protocol.Event["event"], (event: Protocol.Event) => string|null>>} */
const WORDS = {
  called: () => gettext("UNO!"),
  said_ocho: () => gettext("Ocho!"),
  played: (event) => (event.uno ? gettext("UNO!") : null),
  caught: () => gettext("Caught!"),
  wrong_catch: () => gettext("Wrong catch"),
  drew: ({ cards, why }) => (cards && why !== "turn" ? `+${cards} ${drawReason(why ?? "")}`.trim() : null),
  swapped: () => gettext("Swap!"),
  skipped: () => gettext("Skipped"),
  shielded: () => gettext("Shield!"),
  passed: () => gettext("Pass"),
  challenged: (event) => (event.guilty ? gettext("It was a bluff!") : gettext("Not a bluff")),
  over: (event) => (event.winner === null ? null : gettext("Out!")),
};
/** Events whose word is shown large. */
const BIG = ["called", "said_ocho", "played", "caught", "shielded", "over"];

/** @typedef {{seat: number, text: string, event: Protocol.Event["event"], wait: number}} Word to
 * show after `wait` ms */

/** Return the words for the events, in order. Pure. @param {Protocol.Event[]} events @returns {Word[]} */
export function wordsFor(events) {
  /** @type {Record<number, number>} */
  const seen = {};
  const words = events.flatMap((event) => {
    const [seat, text] = [event.seat ?? event.winner, WORDS[event.event]?.(event)];
    return typeof seat === "number" && text ? [{ seat, text, event: event.event }] : [];
  });
  return words.slice(-MOST_WORDS).map((word) => {
    const before = seen[word.seat] ?? 0;
    seen[word.seat] = before + 1;
    return { ...word, wait: before * NEXT_MS };
  });
}

/** @typedef {{cards: number, from: number|null, to: number|null}} Sum penalty cards moving between
 * seats; null means the pile */

/** Return the movements of the penalty, each to be shown after `wait` ms. Pure apart from the deck.
 * @param {Protocol.Event[]} events */
export function sumsFor(events) {
  /** @type {Sum[]} */
  const sums = [];
  for (const { event, seat, of, cards } of events) {
    if (event === "shielded" && of !== null) sums.push({ cards, from: seat, to: of });
    if (event === "penalty" && !sums.some((sum) => sum.to === seat && sum.cards === cards)) sums.push({ cards, from: null, to: seat });
  }
  const first = specialOf(events) ? AFTER_WORD_MS : 0;
  return sums.map((sum, i) => ({ ...sum, wait: first + i * NEXT_MS }));
}

/** Return the font scale for a number of penalty cards. It grows with the number.
 * @param {number} cards */
export function sumScale(cards) {
  return 1 + Math.min(cards, 16) / 12;
}

/** Return the special card that was played and its word, or null. Pure apart from the deck.
 * @param {Protocol.Event[]} events */
export function specialOf(events) {
  const card = events.findLast(({ event }) => event === "played" || event === "opening")?.card;
  const title = card ? cardHelp(card).title : "";
  return card && title ? { card, title } : null;
}

export class Moments {
  /** @param {HTMLElement} layer @param {HTMLElement} table
   * @param {(seat: number|null) => DOMRect|undefined} place returns the box of a seat's card count,
   * or of the pile for null */
  constructor(layer, table, place) {
    this.layer = layer;
    this.table = table;
    this.place = place;
  }

  /** @param {Protocol.Event[]} events
   * @param {boolean} calm shows only words, without animation */
  show(events, calm) {
    for (const word of wordsFor(events)) setTimeout(() => this.#word(word, calm), word.wait);
    const special = specialOf(events);
    if (special) this.#special(special, calm);
    if (events.some(({ event }) => event === "reshuffled")) this.#say(gettext("Reshuffled"), "reshuffled", calm);
    if (calm) return;
    for (const sum of sumsFor(events)) setTimeout(() => this.#sum(sum), sum.wait);
    if (events.some(({ event }) => event === "reversed")) this.#turn();
  }

  /** Show a special card's word briefly over the felt.
   * @param {{card: string, title: string}} special @param {boolean} calm */
  #special({ title }, calm) {
    this.#say(title, "special", calm, part(this.table, ".centre").dataset.now);
  }

  /** @param {string} text @param {string} kind @param {boolean} calm */
  #say(text, kind, calm, color = "") {
    const stage = this.table.querySelector(".stage");
    if (!stage || !takesRoom(stage) || this.table.querySelector(".sheet")) return;
    const word = h("span.special", { "data-event": kind, "data-now": color, "data-calm": calm || null }, text);
    const at = stage.getBoundingClientRect();
    this.#put(word, new DOMRect(at.left, at.top + at.height * 0.2, at.width, at.height * 0.5));
    setTimeout(() => word.remove(), SPECIAL_MS);
  }

  /** @param {Word} word @param {boolean} calm */
  #word({ seat, text, event }, calm) {
    const at = this.place(seat);
    // Over the score sheet, only the word for the end of the hand is still relevant.
    if (!at || (event !== "over" && this.table.querySelector(".sheet"))) return;
    const big = BIG.includes(event);
    const bubble = h(`span.bubble${big ? ".big" : ""}`, { "data-event": event }, text);
    this.#put(bubble, at);
    this.#beside(bubble, seat);
    setTimeout(() => bubble.remove(), WORD_MS);
    if (big && !calm) this.#burst(at, event);
  }

  /** Place the bubble at the lower edge of a seat, so that it covers neither name nor count. Your own bubbles are
   * above your seat.
   * @param {HTMLElement} bubble @param {number} seat */
  #beside(bubble, seat) {
    const chip = part(this.table, `[data-seat="${seat}"]`).getBoundingClientRect();
    const edge = bubble.offsetWidth / 2 + 4;
    const middle = chip.left + chip.width / 2;
    bubble.style.left = `${Math.max(edge, Math.min(this.layer.clientWidth - edge, middle))}px`;
    bubble.style.top = `${chip.bottom + bubble.offsetHeight / 2 - 8}px`;
  }

  /** Draw a ring around the seat that widens once. @param {DOMRect} at @param {Word["event"]} event */
  #burst(at, event) {
    const ring = h("span.burst", { "data-event": event });
    this.#put(ring, at);
    const frames = [{ transform: "translate(-50%, -50%) scale(0.4)", opacity: 1 }, { transform: "translate(-50%, -50%) scale(2.6)", opacity: 0 }];
    ring.animate(frames, { duration: 700, easing: "ease-out", fill: "both" }).onfinish = () => ring.remove();
  }

  /** @param {Sum} sum */
  #sum({ cards, from, to }) {
    const [pile, end] = [this.place(from), this.place(to)];
    if (!pile || !end || this.table.querySelector(".sheet")) return;
    // The number starts at the pile's corner, so that it does not cover the played card.
    const start = from === null ? new DOMRect(pile.right, pile.y + 6, 0, 0) : pile;
    const sum = h("b.sum", { "data-back": from !== null }, `+${cards}`);
    this.#put(sum, start);
    const x = end.left + end.width / 2 - (start.left + start.width / 2);
    const y = end.top + end.height / 2 - (start.top + start.height / 2);
    /** @param {number} dx @param {number} dy @param {number} scale */
    const at = (dx, dy, scale) => `translate(-50%, -50%) translate(${dx}px, ${dy}px) scale(${scale})`;
    const large = sumScale(cards);
    sum.animate(
      [
        { transform: at(0, 0, 0.4), opacity: 0 },
        { transform: at(0, 0, large), opacity: 1, offset: 0.25 },
        { transform: at(0, 0, large * 0.9), opacity: 1, offset: 0.55 },
        { transform: at(x, y, 0.8), opacity: 1, offset: 0.9 },
        { transform: at(x, y, 0.5), opacity: 0 },
      ],
      { duration: SUM_MS, easing: "ease-in-out", fill: "both" },
    ).onfinish = () => sum.remove();
    this.#pulse(".owed", 1 + sumScale(cards) / 5);
  }

  /** Turn the arrows around the piles, and the small arrow, to the new direction. */
  #turn() {
    const glow = [{ color: "#fffdf7", scale: 1.25 }, { color: "#fffdf7", scale: 1.25, offset: 0.5 }, {}];
    this.table.querySelector(".direction")?.animate(glow, { duration: 900, easing: "ease-out" });
    for (const arrow of this.table.querySelectorAll(".ring-arrow"))
      arrow.animate([{ scale: 1 }, { scale: 2, offset: 0.5 }, { scale: 1 }], { duration: 900, easing: "ease-in-out" });
  }

  /** @param {string} selector @param {number} scale */
  #pulse(selector, scale) {
    this.table.querySelector(selector)?.animate([{ scale: 1 }, { scale, offset: 0.4 }, { scale: 1 }], { duration: 500 });
  }

  /** @param {HTMLElement} element @param {DOMRect} at */
  #put(element, at) {
    element.style.left = `${at.left + at.width / 2}px`;
    element.style.top = `${at.top + at.height / 2}px`;
    this.layer.append(element);
  }
}
