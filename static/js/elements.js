// Elements that a page always has: where one is missing, the error names it.

/** @template {Element} [E=HTMLElement] @param {ParentNode} root @param {string} selector @returns {E} */
export function part(root, selector) {
  const found = root.querySelector(selector);
  if (!found) throw new Error(`Missing: ${selector}`);
  return /** @type {E} */ (found);
}

/** @template {Element} [E=HTMLElement] @param {string} id @returns {E} */
export const find = (id) => part(document, `#${id}`);

/** A player's part of a table's page. Who watches has none: what is drawn on it then, nobody sees.
 * @param {string} id @param {string} [tag] */
export const ownPart = (id, tag = "section") => document.getElementById(id) ?? document.createElement(tag);
