// Find elements that must exist. If one is missing, the error names it.

/** @template {Element} [E=HTMLElement] @param {ParentNode} root @param {string} selector @returns {E} */
export function part(root, selector) {
  const found = root.querySelector(selector);
  if (!found) throw new Error(`Missing: ${selector}`);
  return /** @type {E} */ (found);
}

/** @template {Element} [E=HTMLElement] @param {string} id @returns {E} */
export const find = (id) => part(document, `#${id}`);

/** Return a player's part of the table page, or for viewers an element that is not on the page.
 * @param {string} id @param {string} [tag] */
export const ownPart = (id, tag = "section") => document.getElementById(id) ?? document.createElement(tag);
