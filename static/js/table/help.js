// Help shown next to a card after a long press, after hovering over it, or after "?".

import { cardFace, cardHelp } from "./cards.js";
import { h, within } from "./dom.js";
import { ngettext, sentence } from "../text.js";

const HOLD_MS = 450;
const REST_MS = 600;

/** Return a card's name, effect and points as one text. Pure apart from the deck. @param {string} card */
export function helpText(card) {
  const { name, text, points } = cardHelp(card);
  return [sentence(name), text, counts(points)].filter(Boolean).join(" ");
}

/** @param {number} points */
const counts = (points) => ngettext("This card is worth %(count)s point.", "This card is worth %(count)s points.", points);

/** @param {HTMLElement} root where cards lie
 * @param {HTMLElement} layer where the help is put
 * @param {{cardAt: (element: Element) => string|null, say: (text: string) => void}} handlers */
export function makeHelp(root, layer, { cardAt, say }) {
  /** @type {HTMLElement|null} */
  let box = null;
  let timer = 0;
  let held = false;
  // Position of the last press. A card that slides there afterwards gets no help.
  let pressed = "";
  /** @param {MouseEvent} event */
  const place = ({ clientX, clientY }) => `${clientX},${clientY}`;

  const hide = () => {
    clearTimeout(timer);
    box?.remove();
    box = null;
  };

  /** @param {Element} element */
  function show(element) {
    const card = cardAt(element);
    hide();
    if (!card) return;
    const { name, text, points } = cardHelp(card);
    box = h("div.card-help", { role: "tooltip" }, cardFace(card), h("div", {}, h("b", {}, name), text ? h("p", {}, text) : null, h("p.card-counts", {}, counts(points))));
    layer.append(box);
    const at = element.getBoundingClientRect();
    const left = Math.max(8, Math.min(window.innerWidth - box.offsetWidth - 8, at.left + at.width / 2 - box.offsetWidth / 2));
    const above = at.top - box.offsetHeight - 10;
    box.style.left = `${left}px`;
    box.style.top = `${above > 4 ? above : at.bottom + 10}px`;
  }

  /** @param {Event} event @param {number} wait */
  const later = (event, wait, done = () => {}) => {
    const element = within(event, ".card-button, .discard");
    clearTimeout(timer);
    if (element) timer = window.setTimeout(() => [show(element), done()], wait);
  };

  root.addEventListener("pointerdown", (event) => {
    held = false;
    pressed = place(event);
    hide();
    later(event, HOLD_MS, () => {
      held = true;
    });
  });
  root.addEventListener("pointerover", (event) => event.pointerType === "mouse" && !event.buttons && place(event) !== pressed && later(event, REST_MS));
  for (const name of ["pointerout", "pointercancel", "pointerup"]) root.addEventListener(name, hide);
  // A long press that opened the help must not play the card.
  root.addEventListener("click", (event) => {
    if (held) event.stopPropagation();
    held = false;
  }, true);
  root.addEventListener("contextmenu", (event) => within(event, ".card-button, .discard") && event.preventDefault());
  root.addEventListener("focusout", hide);
  document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") hide();
    const element = event.key === "?" ? within(event, ".card-button") : null;
    const card = element && cardAt(element);
    if (!element || !card) return;
    show(element);
    say(helpText(card));
  });
}
