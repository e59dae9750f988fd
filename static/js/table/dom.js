// Helpers that create and update HTML elements.

/** @import { Show, State } from "./store.js" */

/** @typedef {string|number|boolean|null|undefined} Value of an attribute */
/** @typedef {string|Node|null|undefined} Child */
/** @template {string} S @typedef {S extends `${infer Tag}.${string}` ? Made<Tag>
 *   : S extends keyof HTMLElementTagNameMap ? HTMLElementTagNameMap[S] : HTMLElement} Made the type of element for a selector */

const SVG = "http://www.w3.org/2000/svg";

/** Create an element, as in `h("button.big", {type: "button", onclick}, "Draw")`. Properties that are functions
 * become listeners. All others become attributes, and are omitted if null or false.
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

/** Return a function that calls `show(state, now)` only if a value in `depends(state, now)` has changed.
 * @param {(state: State, now: number) => unknown[]} depends
 * @param {(state: State, now: number) => void} show
 * @returns {Show} */
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

/** Set the attribute, or remove it if the value is null or false. An equal value is not written again, because
 * screen readers might announce it.
 * @param {Element} element @param {string} name @param {Value} value */
export function setAttribute(element, name, value) {
  if (value === null || value === undefined || value === false) element.removeAttribute(name);
  else if (element.getAttribute(name) !== String(value)) element.setAttribute(name, String(value));
}

/** The text last written into an element. A translator may have changed what is displayed.
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

/** Put a new text into a new child element, so that screen readers treat it as a new line.
 * @param {Element} element @param {string} text */
export function setLine(element, text) {
  if (isNew(element, text)) element.replaceChildren(h("span", {}, text));
}

/** Return whether the element takes up space on the page. `checkVisibility` is missing before iOS 17.4.
 * @param {Element} element */
export function takesRoom(element) {
  return element.getClientRects().length > 0;
}

/** Return the event's target or its closest ancestor that matches the selector, or null.
 * @param {Event} event
 * @param {string} selector
 * @returns {HTMLElement|null} */
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

/** Make the children of `parent` match `items`. Elements are reused by key and moved as little as possible, so that
 * focus and running animations survive.
 * @template T @template {HTMLElement|SVGElement} E
 * @param {Element} parent
 * @param {T[]} items
 * @param {(item: T, index: number) => string|number} key
 * @param {(item: T, index: number) => E} make
 * @param {(element: E, item: T, index: number) => void} [update] */
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
