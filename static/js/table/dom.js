// Building elements and keeping lists of them in step with data.

/** @import { Show, State } from "./store.js" */

/** @typedef {string|number|boolean|null|undefined} Value of an attribute */
/** @typedef {string|Node|null|undefined} Child */
/** @template {string} S @typedef {S extends `${infer Tag}.${string}` ? Made<Tag>
 *   : S extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[S] : HTMLElement} Made what a selector makes */

const SVG = "http://www.w3.org/2000/svg";

/** An element: `h("button.big", {type: "button", onclick}, "Draw")`. Properties that are
 * functions are listeners; the rest are attributes, left out when null or false.
 * @template {string} S @param {S} selector @param {Record<string, Value|((event: Event) => unknown)>} properties
 * @param {...Child} children @returns {Made<S>} */
export function h(selector, properties = {}, ...children) {
  const [tag, ...classes] = selector.split(".");
  const element = document.createElement(tag || "div");
  if (classes.length) element.className = classes.join(" ");
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else setAttribute(element, name, value);
  }
  element.append(...children.filter((child) => child !== null && child !== undefined));
  return /** @type {Made<S>} */ (element);
}

/** `show(state, now)`, left out while `depends(state, now)`, a list, holds the same values.
 *
 * @param {(state: State, now: number) => unknown[]} depends
 * @param {(state: State, now: number) => void} show
 * @returns {Show}
 */
export function onChange(depends, show) {
  /** @type {unknown[]|null} */
  let shown = null;
  return (state, now) => {
    const next = depends(state, now);
    if (shown?.every((value, i) => value === next[i])) return;
    shown = next;
    show(state, now);
  };
}

/** Set, or remove when null or false; untouched when already so, which keeps readers quiet.
 * @param {Element} element @param {string} name @param {Value} value */
export function setAttribute(element, name, value) {
  if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
}

/** What was last written into an element: a translator may have changed what is there.
 * @type {WeakMap<Element, string>} */
const written = new WeakMap();

/** @param {Element} element @param {string} text */
function isNew(element, text) {
  const before = written.get(element) ?? element.textContent;
  written.set(element, text);
  return before !== text;
}

/** @param {Element} element @param {string} text */
export function setText(element, text) {
  if (isNew(element, text)) element.textContent = text;
}

/** Another text in a place of its own: a new element, not the old one moved to where it fits.
 * @param {Element} element @param {string} text */
export function setLine(element, text) {
  if (isNew(element, text)) element.replaceChildren(h("span", {}, text));
}

/** Whether the element takes room on the page. `checkVisibility` is missing on iPhones before 17.4.
 * @param {Element} element */
export function takesRoom(element) {
  return element.getClientRects().length > 0;
}

/** The element of that kind in which something happened, or null.
 *
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement|null}
 */
export function within(event, selector) {
  return /** @type {Element} */ (event.target).closest(selector);
}

/** @param {string} tag @param {Record<string, string|number>} attributes */
export function svgPart(tag, attributes) {
  const made = document.createElementNS(SVG, tag);
  for (const [name, value] of Object.entries(attributes)) made.setAttribute(name, String(value));
  return made;
}

/** @param {string} className @param {string} href */
export function svgUse(className, href) {
  const svg = document.createElementNS(SVG, "svg");
  svg.setAttribute("class", className);
  svg.setAttribute("aria-hidden", "true");
  const use = document.createElementNS(SVG, "use");
  use.setAttribute("href", href);
  svg.append(use);
  return svg;
}

/** Make `parent`'s children match `items`, reusing elements by key and moving as few as it can,
 * so that focus and running animations survive.
 *
 * @template T @template {HTMLElement|SVGElement} E
 * @param {Element} parent
 * @param {T[]} items
 * @param {(item: T, index: number) => string|number} key
 * @param {(item: T, index: number) => E} make
 * @param {(element: E, item: T, index: number) => void} [update]
 */
export function keyed(parent, items, key, make, update = () => {}) {
  const there = /** @type {E[]} */ ([...parent.children]);
  const old = new Map(there.map((child) => [child.dataset.key, child]));
  const wanted = items.map((item, index) => {
    const name = String(key(item, index));
    const element = old.get(name) ?? make(item, index);
    element.dataset.key = name;
    old.delete(name);
    update(element, item, index);
    return element;
  });
  for (const element of old.values()) element.remove();
  wanted.forEach((element, index) => {
    if (parent.children[index] !== element) parent.insertBefore(element, parent.children[index]);
  });
}
