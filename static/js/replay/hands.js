// A player's hand at their seat in a replay. Hidden cards are shown as backs.

import { cardBack, cardFace, cardName } from "../table/cards.js";
import { h, keyed, setAttribute } from "../table/dom.js";
import { sortCards } from "../table/sorting.js";
import { gettext } from "../text.js";
import { copiesOf, freshCards } from "./steps.js";

/** @param {HTMLElement} item the seat's @param {number} seat
 * @param {Protocol.ReplayStep} now @param {Protocol.ReplayStep} before @param {boolean} could */
export function layHand(item, seat, now, before, could) {
  /** @type {HTMLElement} */
  const place = item.querySelector(".replay-cards") ?? item.appendChild(h("div.replay-cards"));
  const cards = now.cards[seat];
  setAttribute(item, "data-acted", now.seat === seat || null);
  place.style.setProperty("--n", String(now.counts[seat] ?? 0));
  if (!cards) return showBacks(place, now.counts[seat] ?? 0);
  const fresh = freshCards(cards, before.cards[seat] ?? []);
  const sorted = sortCards(cards.map((card, i) => ({ card, fresh: fresh[i] })), "color");
  const copies = copiesOf(sorted.map(({ card }) => card));
  keyed(place, sorted, ({ card }, i) => `${card}${copies[i]}`, ({ card }) => h("span", { role: "img" }, cardFace(card)),
    (element, one, i) => {
      element.style.setProperty("--i", String(i));
      setAttribute(element, "data-fresh", one.fresh || null);
      mark(element, one.card, could && now.turn === seat && now.could.cards.includes(one.card));
    });
}

/** Show the player's chance of winning as a bar below the name. Without a known chance, there is no bar.
 * @param {HTMLElement} item the seat's @param {number|undefined} chance in percent */
export function layChance(item, chance) {
  setAttribute(item, "data-chance", chance ?? null);
  item.style.setProperty("--chance", `${chance ?? 0}%`);
}

/** Show cards face down. @param {Element} place @param {number} count */
function showBacks(place, count) {
  setAttribute(place, "aria-hidden", "true");
  keyed(place, Array(count).fill("back"), (_, i) => `back${i}`, () => h("span", {}, cardBack()),
    (element, _, i) => element.style.setProperty("--i", String(i)));
}

/** @param {Element} element @param {string} card @param {boolean} playable */
function mark(element, card, playable) {
  setAttribute(element, "data-could", playable || null);
  setAttribute(element, "aria-label", playable ? gettext("%(card)s, playable at this point", { card: cardName(card) }) : cardName(card));
}
