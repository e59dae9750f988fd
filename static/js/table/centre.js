// The centre of the table: the piles, the colour, the direction of play and the penalty.

import { part } from "../elements.js";
import { cardBack, cardFace, cardName, shape } from "./cards.js";
import { h, keyed, setAttribute, setText } from "./dom.js";
import { isPlayer, nothingFits, ready } from "./store.js";
import { gettext, ngettext, sentence } from "../text.js";

/** @import { Show } from "./store.js" */

/** Create the centre. Return its element and `show`, which updates it. @param {() => void} draw */
export function makeCentre(draw) {
  const pile = h("button.draw-pile", { type: "button", onclick: draw }, cardBack(), h("b.pile-count"));
  const discard = h("div.discard", { role: "img", translate: "no" });
  const color = h("p.color-now");
  const way = h("span");
  const direction = h("p.direction", {}, turnArrow(), way);
  const sum = h("b");
  const payer = h("span.vh");
  const owed = h("p.owed", {}, sum, h("i.vh", {}, ` ${gettext("for")} `), payer);
  const curtain = h("p.curtain");
  const lately = h("div.lately", { "aria-hidden": "true" });
  const arrows = directionRing();
  const element = h(
    "div.centre", {},
    arrows, curtain, h("div.piles", {}, pile, discard, owed), h("div.facts", {}, color, direction), lately,
  );
  /** @type {Show} */
  const show = (state, now) => {
    const { view } = state;
    showPile(pile, view, ready(state, now) && view.may?.draw);
    setAttribute(pile, "data-loud", (ready(state, now) && nothingFits(view)) || null);
    showDiscard(discard, view);
    showLately(lately, view);
    showColor(color, view);
    setAttribute(element, "data-direction", view.direction);
    setText(way, wayInWords(view));
    setText(sum, view.penalty ? `+${view.penalty.cards}` : "");
    setText(payer, payerText(view));
    owed.hidden = !view.penalty;
    setAttribute(element, "data-now", view.color);
    owed.style.setProperty("--owed", String(Math.min(16, view.penalty?.cards ?? 0)));
    setText(curtain, view.viewer?.curtain ? view.prompt : "");
    setAttribute(element, "data-empty", view.top === null || view.top === undefined);
  };
  return { element, show };
}

function turnArrow() {
  const span = h("span.turn-arrow", { "aria-hidden": "true" });
  span.innerHTML = '<svg viewBox="0 0 20 20"><path d="M16 10a6 6 0 1 1-2-4.5M14.5 1.5v4.5H10"/></svg>';
  return span;
}

/** Draw the arrows that run around the piles in the direction of play. */
function directionRing() {
  const ring = h("div.direction-ring", { "aria-hidden": "true" });
  const arrow = '<path d="M-5-6 3 0-5 6"/>';
  const circle = '<svg viewBox="0 0 100 100" preserveAspectRatio="none"><ellipse cx="50" cy="50" rx="47" ry="47"/></svg>';
  ring.innerHTML = circle + `<svg class="ring-arrow" viewBox="-10 -10 20 20">${arrow}</svg>`.repeat(4);
  return ring;
}

/** @param {HTMLElement} pile @param {Protocol.WindowView} view @param {boolean} usable */
function showPile(pile, view, usable) {
  setText(part(pile, ".pile-count"), String(view.draw_pile));
  setAttribute(pile, "aria-disabled", usable ? null : "true");
  setAttribute(pile, "aria-label", usable ? `${sentence(pileName(view.draw_pile))} ${view.draw_label}` : pileName(view.draw_pile));
}

/** @param {number} count */
const pileName = (count) => ngettext("Draw pile, %(count)s card", "Draw pile, %(count)s cards", count);

/** @param {HTMLElement} discard @param {Protocol.WindowView} view */
function showDiscard(discard, view) {
  const first = view.discard_pile - view.discard.length;
  const cards = view.discard.slice(-3).map((card, i, { length }) => ({
    card, n: first + view.discard.length - length + i,
  }));
  keyed(discard, cards, ({ card, n }) => `${n}${card}`, makeDiscarded);
  setAttribute(discard, "aria-label", topInWords(view));
}

/** Show viewers the last played cards side by side.
 * @param {HTMLElement} lately @param {Protocol.WindowView} view */
function showLately(lately, view) {
  lately.hidden = isPlayer(view);
  if (lately.hidden) return;
  const first = view.discard_pile - view.discard.length;
  keyed(lately, view.discard.map((card, i) => ({ card, n: first + i })), ({ card, n }) => `${n}${card}`, ({ card }) => cardFace(card));
}

/** @param {{card: string, n: number}} one */
function makeDiscarded({ card, n }) {
  const face = cardFace(card);
  face.style.rotate = `${((n * 37) % 13) - 6}deg`;
  return h("div.discarded", {}, face);
}

/** @param {Pick<Protocol.TableView, "top">} view */
export function topInWords({ top }) {
  return top ? gettext("Top card: %(card)s", { card: cardName(top) }) : gettext("No top card");
}

/** @param {Pick<Protocol.TableView, "direction">} view */
export function wayInWords({ direction }) {
  return direction === 1 ? gettext("clockwise") : gettext("anticlockwise");
}

/** Show the current colour and its shape, or nothing if no colour is set.
 * @param {HTMLElement} element @param {Pick<Protocol.TableView, "color"|"colors">} view */
export function showColor(element, view) {
  const color = view.colors?.find((each) => each.color === view.color);
  element.className = `color-now ${color ? `tint-${color.color}` : ""}`;
  if (element.dataset.color === (color?.color ?? "")) return;
  element.dataset.color = color?.color ?? "";
  element.replaceChildren(...(color ? [shape(color.color), h("span", {}, color.name)] : []));
}

/** @param {Protocol.WindowView} view */
function payerText({ penalty, you, seats }) {
  if (!penalty) return "";
  return penalty.seat === you ? gettext("you") : seats[penalty.seat].name;
}
